#!/bin/sh
# After Ctrl-C, herd prints the table so far and ends. Without it the run would take hours. check_interrupt.sh HERD.
# Called by ctest.
set -u
export LC_ALL=C
out=herd_interrupt_out.$$ err=herd_interrupt_err.$$
trap 'rm -f "$out" "$err"' EXIT
"$1" --clients 100000 --capacity 1 --horizon 1000000 >"$out" 2>"$err" &
pid=$!
until [ -s "$out" ]; do kill -0 "$pid" || exit 1; done   # the head is out, so the handler is in
kill -INT "$pid"
wait "$pid"
status=$?
[ "$status" = 130 ] && grep -q '^none .*(interrupted)$' "$out" && grep -q '^(floor)' "$out" && ! [ -s "$err" ] && exit 0
echo "status $status, where 130 and an interrupted row were expected:"
cat "$out" "$err"
exit 1
