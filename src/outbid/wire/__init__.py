"""What a table server and its clients send each other, and the client. The server, the terminal and agents stand on it.

    model.py        Snapshot, a table as one viewer sees it, and the messages of the socket: the server dumps them, clients
                    read them and leave out what they do not know
    offers.py       Offer: a legal choice as a person or an agent is shown it
    session.py      Session: a seat, at a server or in this process
    visit.py        Visit: a session at a table of a server, over the protocol of docs/server.md; plays, connects again
    arrive.py       arrive(link, name): come back, take the seat of the link or an open one, or watch
    link.py         the link of a table: server, table, and the secret of a seat if it is a seat link
    saved_seats.py  the secrets of seats that were taken here, so that the same link comes back to the same seat

The order of things at a move at a server: the command is written down with an id of its own, sent, and sent again under that
id after every reconnection until it is answered; the server makes the move once. Text that a server sends reaches nobody
before it can be printed: no control characters. None of this needs NumPy, Numba, uvicorn or SQLAlchemy.
"""
