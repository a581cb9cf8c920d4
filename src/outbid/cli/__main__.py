"""`python -m outbid.cli`."""

from outbid.cli import main

if __name__ == "__main__":
    main()
