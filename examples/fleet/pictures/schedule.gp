# The picture of schedule: when the retries of the default policy come in the four modes with jitter. draw calls this.
load here.'/style.gp'

set multiplot
set label 1 '{/:Bold When a call retries, by jitter mode}' at screen 0.015,0.955 font ',20'
set label 2 'base 1 s, cap 32 s, jitter 1 s, 5 retries' at screen 0.015,0.905
set label 3 'certainly waiting' at screen 0.065,0.855
set arrow 1 from screen 0.015,0.855 to screen 0.05,0.855 nohead linewidth 4 linecolor rgb waiting
set label 4 'retry 1, 2, 3 ... comes somewhere in here' at screen 0.365,0.855
set object 1 rectangle from screen 0.315,0.84 to screen 0.35,0.87 fillcolor rgb colour[1]
set xrange [0:36]; set xtics 10
set yrange [5.6:0.4]; set ytics 1
set xlabel 'seconds after the first failure' offset 0,0.5
do for [i = 2:5] {
    left = i % 2 ? 0.55 : 0.05; bottom = i < 4 ? 0.53 : 0.11
    set lmargin at screen left; set rmargin at screen left + 0.42
    set bmargin at screen bottom; set tmargin at screen bottom + 0.23
    schedule = programs.'/schedule --mode '.mode[i]
    set print $retries; print system(schedule.' | grep "|"'); set print
    ends = system(schedule.' | sed -n "s/.* comes \(.*\) after the first failure./gives up at \1/p"')
    set label 5 '{/:Bold '.mode[i].'}' at screen left,bottom + 0.255 textcolor rgb colour[i]
    set label 6 ends at screen left + 0.42,bottom + 0.255 right
    before = 0
    plot $retries using (start = before, before = $7, start < $5 ? start : $5):1:($5 - start > 0 ? $5 - start : 0):(0) \
             with vectors nohead linewidth 4 linecolor rgb waiting, \
         $retries using 5:1:5:7:($1 - 0.35):($1 + 0.35) with boxxyerror linecolor rgb colour[i]
    unset label; unset arrow; unset object
}
