"""`python -m outbid` is the command `outbid`."""

from outbid.cli import main

if __name__ == "__main__":
    main()
