# Writes each block of C in the documents to files in the folder that -v folder= names:
# DOCUMENT.LINE.functions, DOCUMENT.LINE.statements, and DOCUMENT.LINE.c, which compiles. There the
# statements are in a function, and stubs.h has what is the reader's. The messages of a compiler
# name the lines of the document. In Markdown a block begins with ```c. In a header it stands in a
# comment, behind an empty line and seven spaces, and has a line that ends in ; or { or }.
# SPDX-License-Identifier: MIT

function flush_piece() {
    if (piece == "")
        return
    if (head ~ /^(#|static |typedef |(struct|enum) [a-z_]+ \{)/ ||
        (head ~ /^[a-z_][a-z_0-9 *]*[ *][a-z_0-9]+\([^=]*[;{]$/ && head !~ /^return /))
        functions = functions piece
    else
        statements = statements piece
    piece = head = ""
}

function finish_block(    i, plain, name, depth) {
    functions = statements = piece = head = ""
    for (i = first; i < first + count; i++) {
        if (line[i] == "" && depth == 0) {
            flush_piece()
            continue
        }
        plain = line[i]
        gsub(/"[^"]*"|'[^']*'|\/\/.*|\/\*.*\*\//, "", plain)
        sub(/ +$/, "", plain)
        if (piece == "")
            piece = line[i] ~ /^#/ ? "" : "#line " i " \"" document "\"\n"
        if (head !~ /[;{]$/)
            head = head (head == "" ? "" : " ") plain
        if (match(head, /[;{]/))
            head = substr(head, 1, RSTART)
        piece = piece line[i] "\n"
        depth += gsub(/\{/, "{", plain) - gsub(/\}/, "}", plain)
        if (line[i] ~ /^(#|\})/)
            flush_piece()
    }
    flush_piece()
    name = document
    gsub(/\//, "_", name)
    name = folder "/" name "." first
    printf "%s", functions >(name ".functions")
    printf "%s", statements >(name ".statements")
    close(name ".functions")
    close(name ".statements")
    if (functions !~ /[ \n]main\(/)
        print "#include \"stubs.h\"" >(name ".c")
    printf "%s", functions >(name ".c")
    if (statements != "")
        printf "%s block(VARIABLES)\n{{\n%s}}\n", \
            statements ~ /return / ? "struct redial_outcome" : "void", statements >(name ".c")
    close(name ".c")
    count = 0
}

function add(text) {
    if (count == 0)
        first = FNR
    line[first + count++] = text
    if (text ~ /[;{}]( *\/[\/*].*)?$/)
        is_code = 1
}

function finish_indented() {
    while (count > 0 && line[first + count - 1] == "")
        count--
    if (count > 0 && is_code)
        finish_block()
    count = is_code = 0
}

FNR == 1 { document = FILENAME; inside = in_comment = after_empty = 0 }

document ~ /\.md$/ && /^```c$/ { inside = 1; next }
document ~ /\.md$/ && /^```$/ { if (inside && count > 0) finish_block(); inside = 0; next }
document ~ /\.md$/ { if (inside) add($0); next }

!in_comment { in_comment = /\/\*/ && !/\*\//; next }
{
    ends = sub(/ *\*\/.*/, "")
    if (/^       / && (after_empty || count > 0))
        add(substr($0, 8))
    else if ($0 == "" && count > 0)
        add("")
    else
        finish_indented()
    after_empty = $0 == "" || (after_empty && /^       /)
    if (ends) {
        finish_indented()
        in_comment = 0
    }
}
