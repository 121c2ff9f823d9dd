# Makes the manual from the text of the headers, in POSIX awk. SPDX-License-Identifier: MIT
#     awk -f man.awk -v out=FOLDER -v date='May 1, 2026' -v version=1.0.0 redial.h redial_fake.h ...
# A page is made of each header ("NAME: what it is. ...") and each of its sections ("---- NAME: what
# it is ----"). Other functions and types of a section become aliases of its page. A comment belongs
# to the declarations after it, or before it in the same line. In a comment, lines that are indented
# by four are code, "- " and "1. " begin the items of a list, and capitals are a heading. Names that
# end in _ are private.

function put(line) {
    body[page] = body[page] line "\n"
    fresh = line ~ /^\.(Ss|It)/
}

function escaped(s) {   # formatters replace these characters by others
    gsub(/\\/, "\\e", s); gsub(/\^/, "\\(ha", s); gsub(/~/, "\\(ti", s)
    gsub(/-/, "\\-", s); gsub(/'/, "\\(aq", s); gsub(/`/, "\\(ga", s)
    return (s ~ /^\./ ? "\\&" : "") s
}

# Functions and types are bold; members, arguments, and what is in backticks are underlined.
function word(s) {
    if (s ~ /redial_[a-z_]*[a-z]|[a-z]\(\)/ && s !~ /\.[ch][^a-z]*$/)
        sub(/[a-z_]*[a-z](\(\))?/, "\\fB&\\fR", s)
    else if (s ~ "^[(\"]*[a-z]+_[a-z_]*[a-z][^a-z_/(]*$" && s !~ /_t[^a-z]*$/)
        sub(/[a-z_]+/, "\\fI&\\fR", s)
    sub(/\\\(ga/, "\\fI", s); sub(/\\\(ga/, "\\fR", s)
    return (s ~ /^\./ ? "\\&" : s ~ /_|\/|[A-Z][A-Z]/ ? "\\%" : "") s   # \\%: without a hyphen
}

# Writes the text that was collected, each sentence on a new line.
function paragraph(   i, count, words, line) {
    if (text != "" && !fresh) put(".Pp")
    count = split(escaped(text), words, " ")
    for (i = 1; i <= count; i++) {
        line = line (line == "" ? "" : " ") word(words[i])
        if (i < count && length(line words[i + 1]) < 70 && words[i] !~ /[.?!][)"]*$/) continue
        put(line); line = ""
    }
    text = ""
}

function is_heading(s) {   # such as WHAT STAYS IN 1.x
    return s ~ /^[A-Z ]+( 1\.x)?$/
}

# column: where items have their text
function describe(   i, s, item, is_code, in_code, edge, column, gap) {
    comment[++lines] = "END"
    for (i = 1; i <= lines; i++) {
        s = comment[i]
        if (s == "") { gap = 1; continue }
        item = match(s, /^ ?([0-9]+\.|-) +/) ? RLENGTH : 0
        is_code = match(s, /^ */) && RLENGTH >= (in_code ? edge : gap ? 4 : column + 4) && !item
        if (gap || item || is_code || RLENGTH < column || is_heading(s)) paragraph()
        if (in_code && !is_code) put(".Ed")
        if (column && RLENGTH < column && !item) { put(".El"); column = 0 }
        if (item && !column) put(s ~ /^-/ ? ".Bl -dash -width 1n" : ".Bl -enum -width 3n")
        if (is_code && !in_code) { put(".Bd -literal -offset 3n"); edge = RLENGTH }
        if (is_code && in_code && gap) put("")
        if (item) { put(".It"); column = item }
        if (is_code) put(escaped(substr(s, edge + 1)))
        else if (!is_heading(s)) text = text " " substr(s, column + 1)
        else if (i < lines) put(".Ss " substr(s, 1, 1) tolower(substr(s, 2)))
        in_code = is_code; gap = 0
    }
    lines = 0
}

function declared() {   # writes the names that were collected, and their comment
    if (held == "") { lines = 0; return }
    if (type == "") put(".Ss " held)
    if (type != "" && lines && !members++) put(".Bl -tag -width Ds")
    if (type != "" && lines) put((type == "enum" ? ".It Dv " : ".It Fa ") held)
    describe()
    held = ""
}

function add(name) {
    held = held (held == "" ? "" : type == "" ? ", " : " , ") name
    sub(/.* /, "", name)
    if (type == "" && name ~ /^r/) home[name] = page
}

/^([{]|struct [a-z_]+_ [{])/, /^}/ { next }   # the body of a function, a private struct
in_comment || /^ *\/\*/ {
    s = $0
    if (!in_comment) { declared(); base = index(s, "/") + 2; sub(/\/\*/, "  ", s) }
    in_comment = !sub(/ *\*\/.*/, "", s)
    if (s !~ /SPDX/) comment[++lines] = substr(s, base + 1)
    if (!in_comment && (comment[1] ~ /^---- / || FILENAME != file)) {   # a new page
        file = FILENAME
        gsub(/^-+ | -+$/, "", comment[1])
        page = about = comment[1]
        sub(/:.*/, "", page); gsub(/^[^:]*: |\..*/, "", about)
        sub(/^[^.]*\.? */, "", comment[1])
        home[page] = page
        head[page] = ".Nd " about "\n.Sh SYNOPSIS\n.In " substr(file, match(file, /[^\/]*$/)) "\n"
        for (i = ++pages; i > 1 && order[i - 1] > page; i--) order[i] = order[i - 1]
        order[i] = page; fresh = 1
        describe()
    }
    next
}
/^#define REDIAL_[A-Z_]+ / && (held == "" ? lines : held ~ /^REDIAL/) { add($2); macro = 1 }
macro { types[page] = types[page] escaped($0) "\n"; macro = /\\$/ }
/^(struct|enum) [a-z_]+ [{]/ {
    if (held != "") declared()
    add($1 " " $2)
    declared()
    types[page] = types[page] (types[page] == "" ? "" : "\n") $0 "\n"
    type = $1; members = hidden = 0
    next
}
type != "" && NF {
    s = $0
    if ((i = index(s, "/*")) || /^}/) declared()
    if (i) { comment[lines = 1] = substr(s, i + 3, length(s) - i - 5); s = substr(s, 1, i - 1) }
    if (/^}/) { type = ""; if (members) put(".El") }
    sub(/ +$/, "", s)
    private = s ~ /_\)?[;(]/
    if (!private || !hidden++)
        types[page] = types[page] (private ? "    /* private members */" : escaped(s)) "\n"
    if (match(s, /\(\*[a-z_]+/)) s = substr(s, RSTART + 2, RLENGTH - 2)
    count = private || /^}|^[^(]*\);$/ ? 0 : split(type == "enum" ? $1 : s, names, ",")
    for (i = 1; i <= count; i++) {
        gsub(/.*[ *]|[[;].*/, "", names[i])
        if (names[i]) add(names[i])
    }
}
/^(REDIAL_[A-Z_]+|typedef) / || unfinished {
    s = unfinished $0
    gsub(/  +/, " ", s)
    unfinished = s ~ /\)[; {]*$/ ? "" : s
    match(s, /redial_[a-z_]+\(/)
    name = substr(s, RSTART, RLENGTH - 1)
    if (unfinished) next
    if (name ~ /_$/) { lines = 0; next }
    add(name)
    if (name != page) functions[page] = functions[page] " ,\n.Nm " name
    arguments = substr(s, RSTART + RLENGTH)
    gsub(/, /, "\" \"", arguments); sub(/\).*/, "", arguments)
    s = substr(s, 1, RSTART - 1)
    gsub(/^REDIAL_[A-Z_]+ | $/, "", s)
    prototypes[page] = prototypes[page] ".Ft " s "\n.Fn " name " \"" arguments "\"\n"
}

END {
    declared()
    for (i = 1; i <= pages; i++) {
        page = order[i]
        file = out "/" page ".3"
        printf ".Dd %s\n.Dt %s 3\n.Os redial %s\n.Sh NAME\n", date, toupper(page), version >file
        printf ".Nm %s%s\n%s", page, functions[page], head[page] >file
        if (types[page]) printf ".Bd -literal\n%s.Ed\n", types[page] >file
        if (types[page] && prototypes[page]) print ".Pp" >file
        printf "%s.Sh DESCRIPTION\n%s.Sh SEE ALSO\n", prototypes[page], body[page] >file
        for (k = 1; k <= pages; k++)
            if (k != i) print ".Xr " order[k] " 3" (k < pages - (i == pages) ? " ," : "") >file
        close(file)
    }
    for (name in home) {
        file = out "/" name ".3"
        if (home[name] != name) { print ".so man3/" home[name] ".3" >file; close(file) }
    }
}
