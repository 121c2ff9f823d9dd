#!/usr/bin/env python3
"""Changes one thing in a C source, builds, runs the tests, and again for every such thing; says what no test noticed.
SPDX-License-Identifier: MIT

Copies of include, src and tests are changed, one for each job, never the tree itself. A mutant is

  killed      a test command failed, crashed, or ran past the time limit
  survived    it did not
  invalid     it does not compile: not counted
  equivalent  it has the same optimised assembly as the original or as an accepted mutant: not counted
  accepted    it is in the list of equivalent ones, '<key> <reason>' a line, and survived: not counted
  duplicate   it has the same optimised assembly as an earlier mutant: not counted

First the copies must build and pass as they are, and must not build with an #error in the file. Needs libclang.
Code that #if leaves out is not mutated. Exit status: 0 all are killed; 1 one survived, or the list names a mutant that
was killed or that there is none of; 2 usage, or a copy that fails as it is; 130 interrupted.

What is changed:
  ror relational     aor arithmetic     bor bitwise/shift   lcr && || and operands
  asr compound assignment               uoi ++/-- swap      uod drop ! - ~
  crp integer constants                 enm enum constants  cnd negate/force conditions
  ter ?: arms        rvr return value   sdl delete a statement, an else, break, continue
"""
import argparse
import bisect
import difflib
import glob
import hashlib
import os
import queue
import re
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

OPS = ("ror", "aor", "bor", "lcr", "asr", "uoi", "uod", "crp", "enm", "cnd", "ter", "rvr", "sdl")

ROR = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
AOR = {"+": ["-"], "-": ["+"], "*": ["/", "+"], "/": ["*"], "%": ["/"]}
BOR = {"<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["|"]}
LCR = {"&&": ["||"], "||": ["&&"]}
ASR = {"+=": ["-=", "="], "-=": ["+=", "="], "*=": ["/=", "="], "/=": ["*=", "="], "%=": ["="], "<<=": [">>=", "="],
       ">>=": ["<<=", "="], "&=": ["|=", "="], "|=": ["&=", "="], "^=": ["|=", "="]}

TOKEN_RE = re.compile(
    r"""(?P<ws>[ \t\r\f\v\n]+|\\\n)
      |(?P<com>/\*.*?\*/|//(?:\\\n|[^\n])*)
      |(?P<str>(?:u8|u|U|L)?"(?:\\.|[^"\\\n])*")
      |(?P<chr>(?:u8|u|U|L)?'(?:\\.|[^'\\\n])*')
      |(?P<num>\.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.'])*)
      |(?P<id>[A-Za-z_$][A-Za-z0-9_$]*)
      |(?P<op>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|\#\#|[-+*/%&|^~!<>=?:;,.(){}\[\]\#])
      |(?P<bad>.)""", re.S | re.X)
INT_RE = re.compile(r"^(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlLzZ]*)$")
TYPE_WORDS = set("""auto char const double enum extern float inline int long register restrict short signed static struct
typedef union unsigned void volatile _Bool _Complex _Alignas _Atomic _Noreturn _Thread_local bool typeof""".split())


class Tok:
    __slots__ = ("kind", "text", "start", "end")

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)

    def __repr__(self):
        return f"{self.kind}:{self.text}@{self.start}"


def lex(src, start=0, end=None):
    """Tokens without whitespace, comments and preprocessor lines."""
    end = len(src) if end is None else end
    toks, pos, bol = [], start, True
    while pos < end:
        if bol and src[pos] == "#":                      # a directive, with its continuation lines
            while True:
                nl = src.find("\n", pos)
                if nl < 0 or nl >= end:
                    return toks
                cont = src[:nl].endswith("\\") or src[:nl].endswith("\\\r")
                pos = nl + 1
                if not cont:
                    break
            continue
        m = TOKEN_RE.match(src, pos, end)
        if not m:
            break
        k, t = m.lastgroup, m.group()
        if k == "ws":
            bol = bol or "\n" in t
        elif k == "com":
            pass
        else:
            bol = False
            toks.append(Tok(k, t, pos))
        pos = m.end()
    return toks


def utf8(s):
    return s.encode("latin-1", "replace").decode("utf-8", "replace")


class Mutant:
    __slots__ = ("start", "end", "new", "op", "old", "line", "col", "func", "key", "status", "detail", "note")

    def __init__(self, start, end, new, op):
        self.start, self.end, self.new, self.op = start, end, new, op
        self.status, self.detail, self.note = "not run", "", ""

    def brief(self):
        def short(s):
            s = utf8(" ".join(s.split()))
            return s if len(s) <= 60 else s[:57] + "..."
        return f"`{short(self.old)}` -> `{short(self.new) or '(nothing)'}`"


class Source:
    def __init__(self, path):
        self.rel = self.path = path
        with open(path, "rb") as f:
            raw = f.read()
        # latin-1 keeps byte offsets equal to string offsets, as libclang counts them
        self.text = raw.decode("latin-1")
        self.starts = [0] + [i + 1 for i, c in enumerate(self.text) if c == "\n"]
        self.funcs = []                                   # (start, end, name) of function bodies

    def linecol(self, off):
        i = bisect.bisect_right(self.starts, off) - 1
        return i + 1, off - self.starts[i] + 1

    def line_text(self, line):
        s = self.starts[line - 1]
        e = self.text.find("\n", s)
        return self.text[s:e if e >= 0 else len(self.text)]

    def func_at(self, off):
        for s, e, n in self.funcs:
            if s <= off < e:
                return n
        return ""


def keep_lines(old, new):
    """new text with as many line ends as old, so that line numbers stay."""
    return new + "\n" * (old.count("\n") - new.count("\n"))


class Maker:
    def __init__(self, src):
        self.src, self.seen, self.out = src, set(), []

    def add(self, start, end, new, op):
        old = self.src.text[start:end]
        new = keep_lines(old, new)
        if old == new or (start, end, new) in self.seen:
            return
        self.seen.add((start, end, new))
        self.out.append(Mutant(start, end, new, op))

    def constant(self, start, end):
        text = self.src.text[start:end]
        m = INT_RE.match(text)
        if not m:
            return
        digits, suf = m.groups()
        d = digits.replace("'", "")
        try:
            v = int(d, 8) if re.match(r"^0[0-7]+$", d) else int(d, 0)
        except ValueError:
            return
        fmt = (lambda x: hex(x)) if d[:2].lower() == "0x" else str
        vals = [v + 1]
        if v > 0:
            vals.append(v - 1)
        if v > 1:
            vals.append(0)
        for x in vals:
            self.add(start, end, fmt(x) + suf, "crp")

    def binop(self, start, end, strict=True):
        t = self.src.text[start:end]
        for table, op in ((ROR, "ror"), (AOR, "aor"), (BOR, "bor"), (LCR, "lcr"), (ASR, "asr")):
            for n in table.get(t, ()):
                self.add(start, end, n, op)

    def condition(self, start, end, loop):
        c = self.src.text[start:end]
        self.add(start, end, f"!({c})", "cnd")
        self.add(start, end, f"((void)({c}), 0)", "cnd")
        if not loop:                                       # a forced-true loop only costs a time-out
            self.add(start, end, f"((void)({c}), 1)", "cnd")


def load_cindex():
    error = None
    for folder in ["/usr/lib/python3/dist-packages"] + sorted(glob.glob("/usr/lib/llvm-*/lib/python3/dist-packages")):
        sys.path.append(folder)                            # for a python3 that is not Debian's
        try:
            import clang.cindex as ci
            ci.Index.create()
            return ci
        except Exception as e:                             # no bindings, or no library for them
            error = e
    raise SystemExit(f"mutate: libclang does not load ({error}): apt-get install python3-clang-14")


def clang_engine(src, args):
    ci = load_cindex()
    K = ci.CursorKind
    index = ci.Index.create()
    extra = ["-x", "c"] if src.rel.endswith(".h") else []
    tu = index.parse(src.path, args=extra + args)
    errs = [d for d in tu.diagnostics if d.severity >= 3]
    if errs:
        raise SystemExit(f"mutate: libclang cannot parse {src.rel}: {errs[0]}")
    mk, text = Maker(src), src.text
    real = os.path.realpath(src.path)
    in_file = {}

    def here(c):
        f = c.location.file
        if f is None:
            return False
        if f.name not in in_file:
            in_file[f.name] = os.path.realpath(f.name) == real
        return in_file[f.name]

    def ext(c):
        return c.extent.start.offset, c.extent.end.offset

    def op_between(a, b):
        """the one operator token in text[a:b], if nothing else but parentheses is there."""
        if a >= b:
            return None
        ts = [t for t in lex(text, a, b) if t.text not in "()"]
        return ts[0] if len(ts) == 1 and ts[0].kind == "op" else None

    def sane(c):
        """the node's text is really this node's (not a macro's inside)."""
        s, e = ext(c)
        return s < e and text[s:e].count("(") == text[s:e].count(")")

    def expr_ok(c):
        s, e = ext(c)
        return sane(c) and (s, e) not in macro_ext

    macro_ext = set()
    macro_spans = []
    tu2 = index.parse(src.path, args=extra + args, options=ci.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    for c in tu2.cursor.get_children():
        if c.kind == K.MACRO_INSTANTIATION and here(c):
            macro_ext.add(ext(c))
            macro_spans.append((*ext(c), c.spelling))

    STMT_PARENTS = (K.COMPOUND_STMT,)

    def stmt_end(c):
        """end offset of an expression statement, its ';' included; None if there is none."""
        s, e = ext(c)
        m = re.compile(r"(?:\s|/\*.*?\*/|//[^\n]*\n)*;", re.S).match(text, e)
        return m.end() if m else None

    EXPR_STMT = tuple(getattr(K, n) for n in ("CALL_EXPR", "BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR",
                                              "UNARY_OPERATOR", "CSTYLE_CAST_EXPR", "PAREN_EXPR", "UNEXPOSED_EXPR"))

    SKIP_MACRO = re.compile(r"assert|trace|log|likely", re.I)   # deleting one of these says little
    WORDS = {K.IF_STMT: "if", K.WHILE_STMT: "while", K.DO_STMT: "do", K.FOR_STMT: "for", K.RETURN_STMT: "return",
             K.BREAK_STMT: "break", K.CONTINUE_STMT: "continue", K.GOTO_STMT: "goto", K.CASE_STMT: "case",
             K.DEFAULT_STMT: "default", K.SWITCH_STMT: "switch"}

    def spelled(c):
        """the statement's keyword stands in this file: it is not the inside of a macro."""
        w = WORDS.get(c.kind)
        return w is None or re.compile(w + r"\b").match(text, ext(c)[0]) is not None

    def delete_stmt(c):
        k = c.kind
        s0 = ext(c)[0]
        mac = next((n for a, b, n in macro_spans if a == s0), None)
        if mac is not None and (k in WORDS or k in EXPR_STMT or k == K.COMPOUND_STMT) and not spelled(c) | (k in EXPR_STMT):
            e = stmt_end(c)                                # a macro that stands as a statement: do { } while (0)
            if e and not SKIP_MACRO.search(mac):
                mk.add(s0, e, ";", "sdl")
            return
        if mac is not None and SKIP_MACRO.search(mac):
            return
        if not spelled(c):
            return
        if k in EXPR_STMT:
            if k == K.CSTYLE_CAST_EXPR and re.match(r"^\(\s*void\s*\)\s*[A-Za-z_]\w*$", text[slice(*ext(c))]):
                return                                     # (void)unused;
            e = stmt_end(c)
            if e and sane(c):
                mk.add(ext(c)[0], e, ";", "sdl")
        elif k in (K.BREAK_STMT, K.CONTINUE_STMT, K.GOTO_STMT):
            e = stmt_end(c)
            if e:
                mk.add(ext(c)[0], e, ";", "sdl")
        elif k == K.RETURN_STMT:
            kids = list(c.get_children())
            e = stmt_end(c)
            if not e:
                return
            if not kids:
                mk.add(ext(c)[0], e, ";", "sdl")
            else:
                s, ee = ext(kids[0])
                if text[s:ee].strip() not in ("0", "0u", "0U", "NULL", "false"):
                    mk.add(ext(c)[0], e, "return 0;", "rvr")
                elif kids[0].type.get_canonical().kind == ci.TypeKind.BOOL:
                    mk.add(ext(c)[0], e, "return 1;", "rvr")

    def children_of_control(c):
        """(condition, loop?, bodies) by position in the text; libclang gives no names."""
        kids = list(c.get_children())
        if c.kind == K.IF_STMT:
            return (kids[0] if kids else None), False, kids[1:]
        if c.kind == K.WHILE_STMT:
            return (kids[0] if len(kids) >= 2 else None), True, kids[-1:]
        if c.kind == K.DO_STMT:
            return (kids[1] if len(kids) == 2 else None), True, kids[:1]
        if c.kind == K.FOR_STMT:
            s, e = ext(c)
            body = kids[-1:] if kids else []
            ts = lex(text, s, ext(body[0])[0] if body else e)
            depth, semis = 0, []
            for t in ts:
                if t.text in "([{":
                    depth += 1
                elif t.text in ")]}":
                    depth -= 1
                elif t.text == ";" and depth == 1:
                    semis.append(t.start)
            if len(semis) >= 2:
                for k in kids[:-1]:
                    ks, ke = ext(k)
                    if semis[0] < ks and ke <= semis[1]:
                        return k, True, body
            return None, True, body
        return None, False, []

    def visit(c, parent, func):
        k = c.kind
        if k == K.BINARY_OPERATOR:
            kids = list(c.get_children())
            if len(kids) == 2:
                (ls, le), (rs, re_) = ext(kids[0]), ext(kids[1])
                t = op_between(le, rs)
                if t and t.text != "=":
                    is_ptr = any(x.type.get_canonical().kind == ci.TypeKind.POINTER for x in kids)
                    if is_ptr and t.text in ("<", "<=", ">", ">=", "==", "!="):
                        for n in ROR[t.text][:1]:
                            mk.add(t.start, t.end, n, "ror")
                    else:
                        mk.binop(t.start, t.end)
                    if t.text in ("&&", "||"):
                        for x in kids:
                            if expr_ok(x):
                                mk.add(ls, re_, text[slice(*ext(x))], "lcr")
        elif k == K.COMPOUND_ASSIGNMENT_OPERATOR:
            kids = list(c.get_children())
            if len(kids) == 2:
                t = op_between(ext(kids[0])[1], ext(kids[1])[0])
                if t:
                    mk.binop(t.start, t.end)
        elif k == K.UNARY_OPERATOR:
            s, e = ext(c)
            kids = list(c.get_children())
            if kids:
                ks, ke = ext(kids[0])
                pre, post = text[s:ks].strip(), text[ke:e].strip()
                if pre in ("++", "--"):
                    mk.add(s, s + 2, "--" if pre == "++" else "++", "uoi")
                elif post in ("++", "--"):
                    p = text.index(post, ke)
                    mk.add(p, p + 2, "--" if post == "++" else "++", "uoi")
                elif pre in ("!", "-", "~") and s < ks:
                    mk.add(s, s + 1, " ", "uod")
        elif k in (K.INTEGER_LITERAL, K.CHARACTER_LITERAL):
            s, e = ext(c)
            if INT_RE.match(text[s:e]):
                mk.constant(s, e)
            elif (s, e) in macro_ext and re.match(r"^[A-Z][A-Z0-9_]*_(MAX|MIN|WIDTH|SIZE|LIMIT|LEN|BITS)$|^[A-Z0-9_]+$", text[s:e]):
                mk.add(s, e, f"({text[s:e]} - 1)", "crp")  # an object-like macro that is one literal
                mk.add(s, e, f"({text[s:e]} + 1)", "crp")
        elif k == K.DECL_REF_EXPR:
            r = c.referenced
            if r is not None and r.kind == K.ENUM_CONSTANT_DECL:
                s, e = ext(c)
                if text[s:e] == r.spelling:
                    sibs = [x.spelling for x in r.semantic_parent.get_children() if x.kind == K.ENUM_CONSTANT_DECL]
                    if len(sibs) > 1:
                        i = sibs.index(r.spelling)
                        mk.add(s, e, sibs[(i + 1) % len(sibs)], "enm")
                        if len(sibs) > 2:
                            mk.add(s, e, sibs[(i - 1) % len(sibs)], "enm")
        elif k == K.CONDITIONAL_OPERATOR:
            kids = list(c.get_children())
            if len(kids) == 3 and all(sane(x) for x in kids) and ext(kids[0])[1] <= ext(kids[1])[0] <= ext(kids[2])[0]:
                s, e = ext(c)
                a, b = text[slice(*ext(kids[1]))], text[slice(*ext(kids[2]))]
                mk.add(s, e, f"({a})", "ter")
                mk.add(s, e, f"({b})", "ter")
        elif k in WORDS and not spelled(c):
            pass                                           # inside of a macro
        elif k in (K.IF_STMT, K.WHILE_STMT, K.DO_STMT, K.FOR_STMT):
            cond, loop, bodies = children_of_control(c)
            if cond is not None and sane(cond):
                s, e = ext(cond)
                if not re.match(r"^[01]u?$|^true$|^false$", text[s:e]):
                    mk.condition(s, e, loop)
            if k == K.IF_STMT and len(bodies) == 2:
                s, e = ext(bodies[1])
                if bodies[1].kind == K.COMPOUND_STMT:      # a lone statement is deleted below
                    mk.add(s, e, "{ }", "sdl")
            for b in bodies:
                if b.kind != K.COMPOUND_STMT:
                    delete_stmt(b)
        if k in STMT_PARENTS or k in (K.CASE_STMT, K.DEFAULT_STMT, K.LABEL_STMT):
            for x in c.get_children():
                delete_stmt(x)
        if k in (K.CASE_STMT,):
            kids = list(c.get_children())
            for x in kids[1:]:
                visit(x, c, func)
            return                                         # never mutate the label itself
        for x in c.get_children():
            visit(x, c, func)

    for c in tu.cursor.get_children():
        if c.kind == K.FUNCTION_DECL and c.is_definition() and here(c):
            body = [x for x in c.get_children() if x.kind == K.COMPOUND_STMT]
            if body:
                s, e = ext(body[0])
                src.funcs.append((s, e, c.spelling))
                visit(body[0], c, c.spelling)
        elif c.kind == K.VAR_DECL and here(c):             # file-scope tables and initialisers
            for x in c.get_children():
                visit(x, c, "")

    # inside the arguments of function-like macros the AST has no positions: use tokens there
    for s, e, name in macro_spans:
        if "(" not in text[s:e] or SKIP_MACRO.search(name) or not src.func_at(s):
            continue
        for t, prev in zip(lex(text, s, e)[1:], lex(text, s, e)):
            token_point(mk, t, prev)
    return mk.out


def is_binary(prev):
    if prev is None:
        return False
    if prev.kind in ("num", "str", "chr"):
        return True
    if prev.kind == "id":
        return prev.text not in ("return", "case", "sizeof", "else", "do", "goto")
    return prev.text in (")", "]", "++", "--")


def token_point(mk, t, prev):
    if t.kind == "num":
        mk.constant(t.start, t.end)
    elif t.kind == "op":
        x = t.text
        if x in ROR or x in LCR or x in ASR or x in ("<<", ">>", "|", "^", "/", "%"):
            mk.binop(t.start, t.end)
        elif x in ("+", "-", "*", "&") and is_binary(prev) and not (prev.kind == "id" and prev.text in TYPE_WORDS):
            mk.binop(t.start, t.end)
        elif x in ("++", "--"):
            mk.add(t.start, t.end, "--" if x == "++" else "++", "uoi")
        elif x in ("!", "~") or (x == "-" and not is_binary(prev)):
            mk.add(t.start, t.end, " ", "uod")


def finish(src, muts):
    """line, column, function and a key that does not change when lines move."""
    muts.sort(key=lambda m: (m.start, m.end, OPS.index(m.op), m.new))
    seen = {}
    nth = {}
    for m in muts:
        m.old = src.text[m.start:m.end]
        m.line, m.col = src.linecol(m.start)
        m.func = src.func_at(m.start)
        lt = src.line_text(m.line)
        strip = len(lt) - len(lt.lstrip())
        occ_key = (m.func, lt.strip())
        if occ_key not in nth:
            nth[occ_key] = []
        if m.line not in nth[occ_key]:
            nth[occ_key].append(m.line)
        basis = "|".join([src.rel, m.func, lt.strip(), str(nth[occ_key].index(m.line)), str(m.col - 1 - strip), m.op,
                          " ".join(m.old.split()), " ".join(m.new.split())])
        k = hashlib.sha1(basis.encode("latin-1", "replace")).hexdigest()[:10]
        while k in seen:
            k = hashlib.sha1((k + basis).encode("latin-1", "replace")).hexdigest()[:10]
        seen[k] = m
        m.key = k
    return muts


def run_cmd(cmd, cwd, timeout, env, cap_mb=64):
    """(exit status or None when timed out, seconds, tail of the output). Kills the whole process group."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if cap_mb:
            resource.setrlimit(resource.RLIMIT_FSIZE, (cap_mb << 20, cap_mb << 20))
    t0 = time.monotonic()
    with tempfile.TemporaryFile() as out:
        try:
            p = subprocess.Popen(["bash", "-c", cmd], cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                 env=env, start_new_session=True, preexec_fn=limits)
        except OSError as e:
            return 127, 0.0, str(e)
        RUNNING.add(p)
        try:
            rc = wait_for(p, timeout)
        finally:
            RUNNING.discard(p)
            try:
                os.killpg(p.pid, signal.SIGKILL)           # also stragglers the command left behind
            except ProcessLookupError:
                pass
            p.wait()
        size = out.seek(0, 2)
        out.seek(max(0, size - 4000))
        tail = out.read().decode("utf-8", "replace")
    return rc, time.monotonic() - t0, tail


def wait_for(p, timeout):
    """exit status, or None when time is up; without the up to 50 ms naps of Popen.wait(timeout)."""
    try:
        fd = os.pidfd_open(p.pid)
    except (AttributeError, OSError):
        try:
            return p.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            return None
    try:
        po = select.poll()
        po.register(fd, select.POLLIN)
        end = time.monotonic() + timeout
        while True:
            left = end - time.monotonic()
            if left <= 0:
                return p.poll()
            if po.poll(left * 1000 + 1):
                return p.wait()
    finally:
        os.close(fd)


RUNNING = set()
STOP = threading.Event()


def why(tail):
    lines = [x.strip() for x in tail.splitlines() if x.strip()]
    for x in lines:
        if re.search(r"runtime error|AddressSanitizer|Sanitizer:|FAIL|rror:|ssert|!=|\[  FAILED|Segmentation|Aborted", x):
            return x[:200]
    return (lines[-1] if lines else "")[:200]


def apply_text(src, m):
    return src.text[:m.start] + m.new + src.text[m.end:]


def diff_of(src, m):
    a = src.text.splitlines(True)
    b = apply_text(src, m).splitlines(True)
    return "".join(difflib.unified_diff(a, b, "a/" + src.rel, "b/" + src.rel, n=2))


def read_equiv(path):
    d = {}
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for i, line in enumerate(f, 1):
                line = line.strip()
                if not line or line.startswith("#"):
                    continue
                k, _, reason = line.partition(" ")
                if not re.match(r"^[0-9a-f]{10}$", k) or not reason.strip():
                    raise SystemExit(f"mutate: {path}:{i}: want '<10 hex digit key> <reason>'")
                d[k] = reason.strip()
    return d


class Worker:
    """One copy of what is built, and the tests in it."""

    def __init__(self, n, opt, src, folder):
        self.opt, self.src = opt, src
        self.dir = os.path.join(folder, f"w{n}")           # paths of one length: __FILE__ does not differ
        for part in ("include", "src", "tests"):
            shutil.copytree(part, os.path.join(self.dir, part), symlinks=True)
        self.env = dict(os.environ, TMPDIR=self.dir)
        self.last = 0.0

    def write(self, text):
        gap = 0.02 - (time.time() - self.last)             # make compares mtimes: be later than the last build
        if gap > 0:
            time.sleep(gap)
        with open(os.path.join(self.dir, self.src.rel), "wb") as f:
            f.write(text.encode("latin-1"))

    def build(self):
        r = run_cmd(self.opt.build, self.dir, 300, self.env, cap_mb=0)
        self.last = time.time()
        return r

    def test(self, timeout):
        return run_cmd(self.opt.test, self.dir, timeout, self.env)

    def asm(self):
        out = os.path.join(self.dir, "optimised.s")
        if os.path.exists(out):
            os.unlink(out)
        rc, _, tail = run_cmd(self.opt.tce.replace("{out}", shlex.quote(out)), self.dir, 300, self.env, cap_mb=0)
        if rc != 0 or not os.path.exists(out):
            return None, tail
        with open(out, "rb") as f:
            return hashlib.sha1(f.read()).hexdigest(), ""


def fail(message):
    print(f"mutate: {message}", file=sys.stderr)
    raise SystemExit(2)


def baseline(workers, src):
    """The time limit of a mutant's tests, once the copies have shown that they build and pass, and build the file."""
    times = []
    for w in workers:
        rc, _, tail = w.build()
        if rc != 0:
            fail(f"the copy does not build as it is ({rc}):\n{tail}")
        for _ in range(2):                                 # the first one builds the tests, too
            rc, seconds, tail = w.test(600)
            if rc != 0:
                fail(f"the copy fails its tests as it is ({rc}):\n{tail}")
        times.append(seconds)
    w = workers[0]
    w.write("#error canary\n" + src.text)
    if w.build()[0] == 0:
        fail(f"the build does not compile {src.rel}: it built with '#error' in it")
    w.write(src.text)
    w.build()
    return max(10.0, 5 * max(times))


def in_parallel(workers, items, job):
    todo = queue.Queue()
    for x in items:
        todo.put(x)

    def loop(w):
        while not STOP.is_set():
            try:
                m = todo.get_nowait()
            except queue.Empty:
                return
            try:
                job(w, m)
            except Exception as e:                         # keep going, and let it show: one that is survived fails
                m.status, m.detail = "survived", f"driver error: {e!r}"
    threads = [threading.Thread(target=loop, args=(w,), daemon=True) for w in workers]
    [t.start() for t in threads]
    for t in threads:
        while t.is_alive():
            t.join(0.2)


def fold(workers, src, muts):
    """Sorts out what is the same optimised code as the original, an accepted mutant or an earlier one."""
    asm = {}

    def assemble(w, m):
        w.write(apply_text(src, m))
        asm[id(m)], tail = w.asm()
        w.write(src.text)
        if asm[id(m)] is None and not STOP.is_set():
            m.status, m.detail = "invalid", why(tail)
    reference, tail = workers[0].asm()
    if reference is None:
        fail(f"--tce fails on {src.rel} as it is:\n{tail}")
    in_parallel(workers, muts, assemble)
    first = {}
    for m in [m for m in muts if m.note] + [m for m in muts if not m.note]:
        h = asm.get(id(m))
        if h is None:
            continue
        f = first.setdefault(h, m)
        if m.note:
            continue
        if h == reference:
            m.status, m.detail = "equivalent", "same optimised code as the original"
        elif f.note:
            m.status, m.detail = "equivalent", f"same optimised code as accepted {f.key}"
        elif f is not m:
            m.status, m.detail = "duplicate", f"same optimised code as {f.key}"


def try_out(w, m, src, limit):
    w.write(apply_text(src, m))
    rc, _, tail = w.build()
    if rc != 0:
        m.status, m.detail = "invalid", "the build timed out" if rc is None else why(tail)
    else:
        rc, _, tail = w.test(limit)
        m.status = "survived" if rc == 0 else "killed"
        m.detail = f"by time limit: {limit:.1f} s" if rc is None else why(tail) if rc else ""
    w.write(src.text)
    if STOP.is_set():
        m.status = "not run"


def show(src, m):
    print(f"  {m.status} {src.rel}:{m.line}:{m.col} [{m.op}] {m.func}: {m.brief()}  key {m.key}")
    print(f"      {utf8(src.line_text(m.line).strip()[:120])}")


def report(src, muts, accepted, seconds):
    wrong = [m for m in muts if m.note and m.status != "survived"]
    for m in muts:
        if m.note and m.status == "survived":
            m.status = "accepted"
    survived = [m for m in muts if m.status == "survived"]
    stale = [key for key in accepted if key not in {m.key for m in muts}]
    for m in survived:
        show(src, m)
    for m in wrong:
        show(src, m)
        print(f"      accepted as equivalent, and yet: {m.detail}")
    for key in stale:
        print(f"  accepted as equivalent, but no mutant of {src.rel}: {key} {accepted[key]}")
    count = {}
    for m in muts:
        count[m.status] = count.get(m.status, 0) + 1
    print(f"{src.rel}: {len(muts)} mutants: " + ", ".join(f"{count[s]} {s}" for s in sorted(count))
          + f"; {sum(m.detail.startswith('by time limit') for m in muts)} by time limit; {seconds:.0f} s", flush=True)
    return 1 if survived or wrong or stale or not count.get("killed") else 0


def on_signal(_signal, _frame):
    STOP.set()
    for p in list(RUNNING):
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def options():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("file", help="the C file, from the folder on that has include, src and tests in it: the current one")
    ap.add_argument("--build", help="command that compiles the file, run in a copy")
    ap.add_argument("--test", help="command that builds the tests and runs them, run in a copy")
    ap.add_argument("--tce", help="command that writes optimised assembly to {out}, run in a copy")
    ap.add_argument("--equiv", help="accepted mutants")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--clang-args", default="-Iinclude -std=gnu11", help="for libclang")
    ap.add_argument("--list", action="store_true", help="list the mutants and stop")
    ap.add_argument("--diff", metavar="KEY", help="show one mutant as a patch and stop")
    opt = ap.parse_args()
    if not os.path.isfile(opt.file):
        ap.error(f"no such file: {opt.file}")
    if not (opt.list or opt.diff) and not (opt.build and opt.test and opt.tce):
        ap.error("--build, --test and --tce are needed, or --list or --diff")
    return opt


def look(opt, src, muts):
    for m in muts:
        if opt.list:
            print(f"{src.rel}:{m.line}:{m.col}: {m.key} {m.op} {m.func or '-'}  {m.brief()}")
        elif m.key == opt.diff:
            sys.stdout.buffer.write(diff_of(src, m).encode("latin-1"))


def main():
    opt = options()
    src = Source(opt.file)
    muts = finish(src, clang_engine(src, shlex.split(opt.clang_args)))
    if opt.list or opt.diff:
        return look(opt, src, muts)
    accepted = read_equiv(opt.equiv)
    for m in muts:
        m.note = accepted.get(m.key, "")
    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        workers = [Worker(n, opt, src, folder) for n in range(max(1, opt.jobs))]
        limit = baseline(workers, src)
        fold(workers, src, muts)
        in_parallel(workers, [m for m in muts if m.status == "not run"], lambda w, m: try_out(w, m, src, limit))
    if STOP.is_set():
        return 130
    return report(src, muts, accepted, time.monotonic() - start)


if __name__ == "__main__":
    sys.exit(main())
