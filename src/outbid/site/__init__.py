"""The games as a folder of static files, played in a browser tab with no server: the same program, run by Pyodide."""
