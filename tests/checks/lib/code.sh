# Sourced by what compiles the code of documents. SPDX-License-Identifier: MIT

code() {   # DOCUMENT TEXT: prints the blocks of C that have the text
    awk -v text="$2" '/^```c$/ { inside = 1; code = ""; next }
                      /^```$/ { if (inside && index(code, text)) printf "%s", code; inside = 0 }
                      inside { code = code $0 "\n" }' "$1"
}

# readme_program FOLDER COMPILER [OPTION...]: makes a.out of README's program there, by the line
# that README has for it, with this compiler for cc
readme_program() {
    mkdir "$1" && ln -s "$PWD" "$1/redial" && code README.md 'int main(' >"$1/app.c" || return
    line=$(sed -n 's/^    cc \(-Iredial.*\)/\1/p' README.md)
    (cd "$1" && shift && eval "$* $line")
}

printed_by_readme() {
    printf '%s from http://example.com/, within 10000 ms\n' 503 429 200
    echo done
}
