"""The compiled backend: Numba over NumPy records, dispatched by the type of the record, cached by the sources.

`entry(rulebook, loop)` compiles a loop of loops.py for one game. Inside it, a call such as `contract.legal(s, …)` is
resolved by `numba.extending.overload`: the record type names the game. Rule functions are plain Python functions; they
are made known to Numba one by one (`register_jitable`), so that one source serves both backends.

Cache. Numba's own cache does not notice an edit in a function called from another file and misses closures. `_Cache`
is keyed by a hash of every source the code depends on: this engine's loops, the module of a loop that stands elsewhere,
and the game's rule modules. It lies in the user's cache folder (or NUMBA_CACHE_DIR) and serves every later process. What is
not there is read from OUTBID_CACHE, a folder that `outbid warm --into` filled and that nothing is written to. Array
bounds are checked in the rules of a game that is not ours, and everywhere where NUMBA_BOUNDSCHECK=1 is set, as `make deep`
does; it makes compiling half as long again and hardly anything slower.

Numba stays as it is for the code of others in the process: what is different here (indices, the check of bounds, one form of
a function for all widths of integers) belongs to our own pipeline and our own templates.

Compiling holds the interpreter for seconds. `ready` tells whether an entry would come from the cache; `outbid warm` fills
it beforehand. This module imports Numba, so nothing imports it before something is to be compiled, and a table never does.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import Linkage
from numba.core import cgutils, config, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.errors import NumbaError
from numba.core.imputils import lower_constant
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import infer, infer_global, make_overload_template
from numba.extending import lower_builtin, models, register_model, type_callable, typeof_impl
from numba.np import arrayobj

from outbid.compiled import inference, loops
from outbid.core import chance, contract, counts, files, knowledge, seats
from outbid.core.errors import BadRulebook
from outbid.core.fields import Field
from outbid.core.hooks import policy_params

if TYPE_CHECKING:
    from outbid.core.rulebook import Rulebook

OBSERVE = contract.observe.__name__
CHECKED = os.environ.get("NUMBA_BOUNDSCHECK") == "1"
# rules allocate nothing, so no references are counted: the counting of `out` at every call took a third of the time
JIT: dict[str, Any] = {"boundscheck": CHECKED, "error_model": "numpy", "_nrt": False}
_books: dict[Any, Rulebook] = {}
_sources: WeakKeyDictionary[Rulebook, str] = WeakKeyDictionary()  # of each game that is registered, as it was then
_entries: dict[str, tuple[Rulebook | None, Any]] = {}  # with the game that each was made for
_homes: set[str] = set()
_foreign: set[str] = set()  # modules whose indices are checked
_counting = {loops.__name__, seats.__name__, inference.__name__}  # modules whose indices count from the beginning


FIX, CHECK = arrayobj.fix_integer_index, cgutils.do_boundscheck  # Numba's own


def _fixed(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Indices in rules are never negative: that Python would count those from the end is not compiled there. It took three
    instructions an index, and hid from the compiler that what stands side by side does. Where bounds are checked, a negative
    index is out of them."""
    if _Lowering.counting and builder.module is _Lowering.module:
        return context.cast(builder, index, kind, types.intp)
    return FIX(context, builder, kind, index, size)


def _bounds(context: Any, builder: Any, index: Any, size: Any, axis: Any = None) -> None:
    """Numba's own check says neither function nor line."""
    if builder.module is not _Lowering.module:
        CHECK(context, builder, index, size, axis)
        return
    function, line = _Lowering.line
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, size)):
        message = ("the index is out of the field",)
        context.call_conv.return_user_exc(builder, IndexError, message, loc=line, func_name=function)


class _Lower(Lower):
    """Numba's own; it remembers which line it is at, in which module."""

    def lower_inst(self, inst: Any) -> None:
        _Lowering.line, _Lowering.module = (self.func_ir.func_id.func_name, self.loc), self.module
        lower: Any = super().lower_inst
        lower(inst)


class _Whole(JITCodeLibrary):
    """The code of an entry with all that it calls. It is made as Numba makes it, but for two things. Every part is linked in
    once, here: Numba links into each function all that it calls, which for the search in Claim took as much memory again as
    all the rest. And where features are written, those that are alike and stand side by side are written at once; other code
    is not quicker so."""

    def finalize(self) -> None:
        libraries: dict[Any, None] = {}
        _gather(self._linking_libraries, libraries)
        self._linking_libraries = list(reversed(libraries))  # what nothing calls yet would not be linked in
        make: Any = super().finalize
        make()

    def _optimize_final_module(self) -> None:
        settings, optimize = cast(Any, config), cast(Any, super()._optimize_final_module)
        before = settings.SLP_VECTORIZE
        settings.SLP_VECTORIZE = int(any(OBSERVE in function.name for function in self._final_module.functions))
        try:
            optimize()
        finally:
            settings.SLP_VECTORIZE = before


class _Part(JITCodeLibrary):
    """The code of one rule function: it is linked into the entry that calls it, and optimised and made into machine
    code only there. Numba by itself does all of it for every function, each with all that it calls."""

    def finalize(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = Linkage.linkonce_odr
        return self._final_module


def _gather(libraries: Sequence[Any], gathered: dict[Any, None]) -> None:
    """These libraries, and what they call, each after what it calls."""
    for library in libraries:
        if library not in gathered:
            if isinstance(library, _Part):
                _gather(library._linking_libraries, gathered)
            gathered[library] = None


class _Lowering(NativeLowering):
    _name: Any
    # the compiler's lock is held: one function is lowered at a time
    counting = False  # whether its indices count from the beginning
    line: Any = ("", None)  # its name and the line
    module: Any = None  # of LLVM, in which it is written; functions of Numba's own that it needs have others

    @property
    def lowering_class(self) -> Any:
        return _Lower

    def lowered(self, state: Any, library: type[JITCodeLibrary]) -> bool:
        """Make the code of a function, in a library of this kind."""
        state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        _Lowering.counting = state.func_id.modname in _counting
        context, before = state.targetctx, state.targetctx._boundscheck
        context.enable_boundscheck = before or state.func_id.modname in _foreign
        # where features are written to is never where they are read from
        state.flags.noalias = _Lowering.counting and state.func_id.func_name.startswith(OBSERVE)
        arrayobj.fix_integer_index, cgutils.do_boundscheck = _fixed, _bounds
        try:
            lower: Any = super().run_pass
            return bool(lower(state))
        finally:
            arrayobj.fix_integer_index, cgutils.do_boundscheck = FIX, CHECK
            _Lowering.counting, _Lowering.module = False, None
            context.enable_boundscheck = before


@register_pass(mutates_CFG=True, analysis_only=False)
class _WholeLowering(_Lowering):
    _name = "outbid_whole_lowering"

    def run_pass(self, state: Any) -> bool:
        return self.lowered(state, _Whole)


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(_Lowering):
    _name = "outbid_part_lowering"

    def run_pass(self, state: Any) -> bool:
        context = state.targetctx
        # Numba wants a built-in of its own for every function, for Python to call; a part is never called from Python
        context.get_executable = lambda library, description, environment: [].append
        try:
            return self.lowered(state, _Part)
        finally:
            del context.get_executable


class _WholeCompiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        return [_pipeline(self.state, _WholeLowering)]


class _PartCompiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        return [_pipeline(self.state, _PartLowering)]


def _pipeline(state: Any, lowering: Any) -> Any:
    """Numba's own, but for the lowering."""
    manager = DefaultPassBuilder.define_nopython_pipeline(state)
    manager.passes = [(lowering if step is NativeLowering else step, name) for step, name in manager.passes]
    manager.finalize()
    return manager


PART: dict[str, Any] = {
    **JIT,
    "nopython": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": _PartCompiler,
}


def _known(function: Callable[..., Any], choose: Callable[..., Any]) -> None:
    """Let compiled calls of a function go to what `choose` returns for the types of its arguments, as `numba.overload` does,
    but with one form for all widths of integers: fields of a record are narrow, and Numba would compile it for each."""
    template: Any = make_overload_template(function, choose, PART, False, "never")
    generic = template.generic

    def resolve(self: Any, args: Any, kws: Any) -> Any:
        return generic(self, tuple(_widest(kind) for kind in args), kws)

    template.generic = resolve
    infer(template)
    infer_global(function, types.Function(template))


def _widest(kind: Any) -> Any:
    return types.int64 if isinstance(types.unliteral(kind), types.Integer) else kind


def _known_as_it_is(functions: Iterable[Callable[..., Any]]) -> None:
    """Let compiled code call functions of the compiled subset."""
    for function in functions:
        _known(function, lambda *_, rule=function, **__: rule)


def _functions(module: Any) -> list[Callable[..., Any]]:
    return [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]


def register(rulebook: Rulebook) -> None:
    """Make a game's functions callable from compiled code and its record type known to the dispatch. A game whose file is
    read twice and has not changed is the same game."""
    record = numba.from_dtype(rulebook.layout.dtype)
    known = _books.get(record)
    if known is rulebook:
        return
    if known is not None and _alike(known, rulebook):
        return
    if known is not None:
        raise BadRulebook(
            f"{rulebook.id} has the very state fields that {known.id} had in this process, and other rules: compiled code "
            "could not tell them apart. Give a field another name, or begin anew."
        )
    for module in rulebook.modules:
        _counting.add(module.__name__)
        if not _ours(rulebook):
            _foreign.add(module.__name__)
        _known_as_it_is(_functions(module))
    _books[record] = rulebook
    _sources[rulebook] = source_hash(rulebook)


def _alike(before: Rulebook, rulebook: Rulebook) -> bool:
    """Whether a game is the one before, from a file that was read twice and has not changed; then it counts as
    registered."""
    if before.id != rulebook.id or _sources.get(before) != (sources := source_hash(rulebook)):
        return False
    _sources[rulebook] = sources
    return True


def _ours(rulebook: Rulebook) -> bool:
    """Whether a game is tried by our own tests."""
    return rulebook.modules[0].__name__.startswith("outbid.")


def _dispatch(generic: Callable[..., Any]) -> None:
    """Let compiled calls of a contract function go to the game of the record in the first argument."""
    names = ", ".join(inspect.signature(generic).parameters)

    def choose(s: Any, *_: Any) -> Any:
        book = _books.get(s)
        return None if book is None else book.function(generic.__name__)

    scope: dict[str, Any] = {"choose": choose, "Record": types.Record}
    exec(  # an overload must have the very parameter names of the function it stands for
        f"def typed({names}):\n"
        f"    rule = choose({names}) if isinstance(s, Record) else None\n"
        f"    return None if rule is None else lambda {names}: rule({names})\n",
        scope,
    )
    _known(generic, scope["typed"])


@typeof_impl.register(policy_params.PolicyParams)
def _typeof_params(params: policy_params.PolicyParams, context: Any) -> Any:
    """Policy parameters that a rule names as a constant: Numba makes the record of their bytes."""
    return numba.from_dtype(params.dtype)


class _FieldType(types.Dummy):
    """A field that a rule names as a constant, so that the compiler knows which one it is."""

    def __init__(self, field: Field):
        self.field = field
        super().__init__(repr(field))


register_model(_FieldType)(models.OpaqueModel)


@typeof_impl.register(Field)
def _typeof_field(field: Field, context: Any) -> Any:
    return _FieldType(field)


@lower_constant(_FieldType)  # type: ignore[untyped-decorator]
def _field(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()


def _moving(generic: Callable[..., Any]) -> None:
    """Let compiled calls of a function of knowledge.py go to the form for the fields that they name."""
    names = ", ".join(inspect.signature(generic).parameters)

    def choose(s: Any, *arguments: Any) -> Any:
        fields = [kind.field for kind in arguments if isinstance(kind, _FieldType)]
        return knowledge.form(generic.__name__, isinstance(arguments[1], types.BaseTuple), *fields)

    scope: dict[str, Any] = {"choose": choose}
    exec(f"def typed({names}):\n    return choose({names})\n", scope)
    _known(generic, scope["typed"])


def _play(s: Any, seat: Any, seed: Any, note: Any, who: Any) -> Any:
    """Let `contract.play` go to the game's own function, with the parameters of a player's number."""
    book = _books.get(s) if isinstance(s, types.Record) else None
    if book is None:
        return None
    rule, params = book.function("play"), book.personas.records()
    return lambda s, seat, seed, note, who: rule(s, seat, seed, note, params[who])


def _told(s: Any, seat: Any, seed: Any, note: Any, params: Any) -> Any:
    """Let `contract.told` go to the game's own `play`, with parameters that are given."""
    book = _books.get(s) if isinstance(s, types.Record) else None
    if book is None:
        return None
    rule = book.function("play")
    return lambda s, seat, seed, note, params: rule(s, seat, seed, note, params)


for _generic in contract.FUNCTIONS:
    if _generic is not contract.play:
        _dispatch(_generic)
_known(contract.play, _play)
_known(contract.told, _told)
for _function in knowledge.FUNCTIONS:
    _moving(_function)
for _module in (chance, counts, seats, inference, loops):
    _known_as_it_is(_functions(_module))
_known_as_it_is(contract.LEFT_OUT.values())


@type_callable(contract.working_space)
def _typed_space(context: Any) -> Any:
    """Working space of a rule function is an array in the frame of that function: rules allocate nothing."""
    return lambda: types.Array(types.int64, 1, "C")


@lower_builtin(contract.working_space)  # type: ignore[untyped-decorator]
def _space(context: Any, builder: Any, signature: Any, _arguments: Any) -> Any:
    size, width = contract.MOST_ACTIONS, context.get_abi_sizeof(context.get_data_type(types.int64))
    array = arrayobj.make_array(signature.return_type)(context, builder)
    data = cgutils.alloca_once(builder, cast(Any, ir).ArrayType(context.get_data_type(types.int64), size))
    start = builder.bitcast(data, context.get_data_type(types.int64).as_pointer())
    number = partial(context.get_constant, types.intp)
    arrayobj.populate_array(array, start, [number(size)], [number(width)], number(width), None)
    return array._getvalue()


def cache_folder() -> Path:
    """Where compiled code is kept."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named)
    return files.cache_folder() / "compiled"


SHARED = (chance, contract, counts, knowledge, loops, policy_params, seats, inference)  # what every entry may call


def _floors(home: Any) -> list[Any]:
    """The module of a loop, and those of its package whose functions it calls, but for the shared ones."""
    modules = {} if home in SHARED else {home.__name__: home}
    ahead = list(modules.values())
    package = home.__name__.partition(".")[0]
    while ahead:
        for called in vars(ahead.pop()).values():
            name = called.__module__ if inspect.isfunction(called) else ""
            module = sys.modules.get(name)
            if name.partition(".")[0] == package and module not in SHARED and name not in modules:
                modules[name] = module
                ahead.append(module)
    return [modules[name] for name in sorted(modules)]


def source_hash(rulebook: Rulebook | None, home: Any = loops) -> str:
    """SHA-256 over every source file, and all policy parameters, that a compiled entry of the game depends on, or one of
    no game; `home` is the loop's module."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {CHECKED}".encode())
    rules = () if rulebook is None else rulebook.modules
    for module in (*SHARED, sys.modules[__name__], *rules, *_floors(home)):
        text = getattr(module, "__source__", None)  # what was written for a game stands in no file (visibility.py)
        digest.update(text.encode() if text else Path(inspect.getfile(module)).read_bytes())
    if rulebook is not None:
        digest.update(repr(rulebook.personas.all).encode())
    return digest.hexdigest()


class _Locator(_CacheLocator):
    """One index an entry, named by loop and game; what was compiled from older sources is swept when new code is written."""

    def __init__(self, name: str, stamp: str):
        self.name = name
        self.stamp = stamp
        self._py_file = __file__

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return self.stamp

    def get_disambiguator(self) -> str:
        return self.name

    def ensure_cache_path(self) -> None:
        cache_folder().mkdir(parents=True, exist_ok=True)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> None:
        return None


class _Impl(CompileResultCacheImpl):
    def __init__(self, py_func: Any, locator: _Locator):
        self._lineno = py_func.__code__.co_firstlineno
        self._locator = locator
        self._filename_base = f"{locator.name}-py{sys.version_info[0]}{sys.version_info[1]}"


class _File(IndexDataCacheFile):
    """The index of an entry, and its data, which are named by source and signature and written before the index says so: an
    index never leads to older code, even if another process writes at the same time or is killed. What cannot be read,
    since names that it tells of are gone or it is cut short, is not there."""

    def _load_index(self) -> dict[Any, str]:
        try:
            load: Any = super()._load_index
            return cast(dict[Any, str], load())
        except Exception:
            return {}

    def _load_data(self, name: str) -> Any:
        try:
            load: Any = super()._load_data
            return load(name)
        except Exception as error:
            raise OSError(f"{name} cannot be read") from error

    def save(self, key: Any, data: Any) -> None:
        base = self._index_name.removesuffix(".nbi")
        stem = f"{base}.{self._source_stamp[:16]}"
        name = f"{stem}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})
        for old in Path(self._cache_path).glob(f"{base}.*.nbc"):
            if not old.name.startswith(stem):
                old.unlink(missing_ok=True)


class _Cache(FunctionCache):
    """Numba's cache with another key: the signature, the machine and the source hash, nothing of the function."""

    def __init__(self, py_func: Any, locator: _Locator):
        self._impl_class: Any = lambda f: _Impl(f, locator)
        make: Any = super().__init__
        make(py_func)
        folders = [self._cache_path, *filter(None, [os.environ.get("OUTBID_CACHE")])]
        self._files = [_File(folder, self._impl.filename_base, locator.stamp) for folder in folders]
        self._cache_file = self._files[0]  # which is written to

    @property
    def is_fresh(self) -> bool:
        """Whether code of these sources is there."""
        return any(file._load_index() for file in self._files)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        key = self._index_key(sig, target_context.codegen())
        for file in self._files:
            data = file.load(key)
            if data is not None:
                return self._impl.rebuild(target_context, data)
        return None

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (sig, codegen.magic_tuple())

    @contextlib.contextmanager
    def _guard_against_spurious_io_errors(self) -> Iterator[None]:
        """Where nothing can be written, code stays in memory."""
        with contextlib.suppress(OSError):
            yield


def _home(loop: Callable[..., Any]) -> Any:
    """The module of a loop; its functions and those of the modules it calls are made known to the compiler once."""
    home = sys.modules[loop.__module__]
    for module in _floors(home):
        if module.__name__ not in _homes:
            _homes.add(module.__name__)
            _known_as_it_is(_functions(module))
    return home


def entry(rulebook: Rulebook | None, loop: Callable[..., Any]) -> Any:
    """The compiled form of a loop for one game, or of one that knows no states; the first call of each signature compiles or
    loads it. Raises BadRulebook where a game that is not ours does not pass its rehearsal."""
    name = _name(rulebook, loop)
    if not _made(name, rulebook):
        if rulebook is not None:
            if not ready(rulebook, loop):
                if not _ours(rulebook):
                    from outbid.testing.rehearsal import rehearse

                    rehearse(rulebook)
                if _somebody_reads():
                    print(f"Compiling {rulebook.title} ({loop.__name__}), once: some seconds…", file=sys.stderr)
            register(rulebook)
        home = _home(loop)
        # each game has its own, although the loop's source is one
        dispatcher = numba.njit(nogil=True, pipeline_class=_WholeCompiler, **JIT)(loop)
        dispatcher._cache = _Cache(loop, _Locator(name, source_hash(rulebook, home)))
        dispatcher.compile = partial(_compile_once, dispatcher.compile, name, rulebook)
        _entries[name] = rulebook, dispatcher if rulebook is None or _ours(rulebook) else _Checked(dispatcher)
    return _entries[name][1]


def _made(name: str, rulebook: Rulebook | None) -> bool:
    """Whether there is the compiled form of this very game: another file may have had its id before, or the same have said
    something else. Its code would write where the states of this one end."""
    if name not in _entries:
        return False
    before, dispatcher = _entries[name]
    if before is not rulebook:
        if before is None or rulebook is None or not _alike(before, rulebook):
            return False
        _entries[name] = rulebook, dispatcher
    return True


class _Checked:
    """An entry of a game that is not ours: where an index leads out of a field is one sentence."""

    def __init__(self, run: Any):
        self._run = run

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self._run(*arguments)
        except IndexError as error:
            from outbid.testing.findings import sentence_of

            raise BadRulebook(sentence_of(error)) from error


def _somebody_reads() -> bool:
    """Whether standard error is a terminal, or a notebook's, which is none."""
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel.")


def _compile_once(compile_or_load: Callable[[Any], Any], name: str, rulebook: Rulebook | None, signature: Any) -> Any:
    """Compile or load; of several processes that want the same, one compiles and the others wait and load."""
    try:
        with _alone(cache_folder() / f"{name}.lock"):
            return compile_or_load(signature)
    except NumbaError as error:
        if rulebook is None or _ours(rulebook):
            raise
        from outbid.testing.findings import sentence_of

        raise BadRulebook(sentence_of(error)) from error


@contextlib.contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Hold a lock that ends with this process at the latest; where none can be had, go on without."""
    try:
        import fcntl

        file.parent.mkdir(parents=True, exist_ok=True)
        held = file.open("a")
        fcntl.flock(held, fcntl.LOCK_EX)
    except (ImportError, OSError):
        yield
        return
    with held:
        try:
            yield
        finally:
            fcntl.flock(held, fcntl.LOCK_UN)


def ready(rulebook: Rulebook, loop: Callable[..., Any]) -> bool:
    """Whether this loop of the game is compiled here already or lies in the cache, fresh."""
    name = _name(rulebook, loop)
    if _made(name, rulebook) and _entries[name][1].signatures:
        return True
    return _Cache(loop, _Locator(name, source_hash(rulebook, _home(loop)))).is_fresh


def _name(rulebook: Rulebook | None, loop: Callable[..., Any]) -> str:
    """What the compiled form of a loop is called."""
    return f"{rulebook.id}.{loop.__name__}" if rulebook is not None else loop.__name__

