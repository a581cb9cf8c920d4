// node compile.mjs PYODIDE LIBRARY DIR: byte code by the Python that will run it, without what it says of itself. DIR gets, the
// same bytes for the same files, python_stdlib.zip with what Python needs to start, and outbid.zst: the library, its templates
// as code, and all other modules of the standard one that somebody may need. It is a line of JSON, [[name, size], …], and then
// the files one behind the other (worker.js unpacks it; a tar takes three times as long).
import { pathToFileURL } from "node:url";

const [runtime, library, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${runtime}/` });
for (const [place, folder] of Object.entries({ "/runtime": runtime, "/library": library, "/target": target })) python.mountNodeFS(place, folder);
python.runPython(String.raw`
import compression.zstd, shutil, sys

STARTS = {"_pyodide", "encodings", "pyodide", *(name.partition(".")[0] for name in sys.modules)}

import compileall, json, pathlib, py_compile, re, zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, "/library")
from outbid.server.web import pages

pages.write_code(pathlib.Path("/library/outbid"))

PACKED = {  # as small as it gets for who unpacks it with 8 MB, and not with all of it
    compression.zstd.CompressionParameter.compression_level: 20,
    compression.zstd.CompressionParameter.window_log: 23,
}
UNUSED = re.compile(  # of the standard library: tools, protocols, and letters of former times
    r"(_pyrepl|ctypes|multiprocessing|pydoc_data|unittest|wsgiref|xml/(dom|sax)|xmlrpc)/"
    r"|asyncio/(proactor|windows)_|concurrent/futures/process|http/(cookiejar|server)|logging/config"
    r"|(_pydatetime|_pyio|antigravity|bdb|cProfile|cmd|doctest|ftplib|imaplib|mailbox|modulefinder|optparse|pdb|pickletools|plistlib|poplib"
    r"|profile|pstats|pyclbr|pydoc|socketserver|symtable|tabnanny|tarfile|this|trace|wave|zipapp)[.]py"
    r"|encodings/(big5|cp(?!437)|euc|gb|hp|hz|iso2022|iso8859_(?!1[.])|johab|koi|kz|mac|palmos|ptcp|shift|tis)")

def compiled(folder):
    checked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    if not compileall.compile_dir(folder, stripdir=folder, quiet=1, legacy=True, optimize=2, invalidation_mode=checked):
        raise SystemExit("There is a module that Python does not understand.")
    for source in folder.rglob("*.py"):
        if source.parent.name != "versions":  # migrations are found by their source
            source.unlink()
    return [(path.relative_to(folder), path) for path in sorted(folder.rglob("*")) if path.is_file()]

with zipfile.ZipFile("/runtime/python_stdlib.zip") as archive:
    archive.extractall("/standard", [name for name in archive.namelist() if not UNUSED.match(name)])
standard = compiled(pathlib.Path("/standard"))
first = [(name, path) for name, path in standard if name.parts[0].removesuffix(".pyc") in STARTS]
with zipfile.ZipFile("/target/python_stdlib.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for name, path in first:
        entry = zipfile.ZipInfo(name.as_posix(), (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, path.read_bytes())
files = [*compiled(pathlib.Path("/library")), *(pair for pair in standard if pair not in first)]
files.sort(key=lambda pair: (pair[0].suffix, pair[0]))  # what is alike lies side by side
index = json.dumps([[name.as_posix(), path.stat().st_size] for name, path in files])
content = b"".join([index.encode(), b"\n", *(path.read_bytes() for name, path in files)])
pathlib.Path("/target/outbid.zst").write_bytes(compression.zstd.compress(content, options=PACKED))
`);
