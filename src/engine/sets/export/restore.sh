#!/bin/sh
# Restores the files of this set without Stowage: copies, joins and unpacks them, and checks each by SHA-256.
# Usage: sh RESTORE.sh [--trust] TARGET-FOLDER [VOLUME-FOLDER...]
# Without a volume folder it reads the volume that it is on. Run it again with other volumes until all files are there.
# --trust puts setuid, setgid and capabilities of files back: only for discs that are your own.
# Exit status, of several the first: 6 a file or the index is damaged or something is missing, 1 something could not be
# read or written, 7 another file is in the way, 5 a program is missing, 3 volumes are still missing or rights of programs
# were not put back, 0 all files are right
# Functions are called by the commands that are made of the index:
# shellcheck disable=SC2317
set -u
LC_ALL=C
export LC_ALL
parts_only=
[ "${0##*/}" != REJOIN.sh ] || parts_only=yes
trust=
if [ "${1-}" = --trust ]; then
  trust=yes
  shift
fi
if [ "$#" -lt 1 ]; then
  echo "usage: sh ${0##*/} [--trust] TARGET-FOLDER [VOLUME-FOLDER...]" >&2
  exit 2
fi
if command -v sha256sum > /dev/null; then
  digest() { sha256sum; }
elif command -v shasum > /dev/null; then
  digest() { shasum -a 256; }
else
  echo "cannot find sha256sum or shasum" >&2
  exit 5
fi
here=.
case $0 in
  */*) here=${0%/*} ;;
esac
case $here in
  /*) ;;
  .) here=$PWD ;;
  *) here=$PWD/$here ;;
esac
while [ "$here" != "${here%/}" ]; do here=${here%/}; done
case $1 in
  /*) target=$1 ;;
  *) target=$PWD/$1 ;;
esac
shift
[ "$#" -gt 0 ] || set -- "$here/.."
folders=0
for folder; do
  case $folder in
    /*) ;;
    *) folder=$PWD/$folder ;;
  esac
  folders=$((folders + 1))
  eval "folder_$folders=\$folder"
done
status=0
told=
password=
container=
found=
about=
real=
unpack_status=0
scratch=$target/.stowage-restore
unpacked=$scratch/unpacked
new=$scratch/new

# failed STATUS: the worst one is the script's
failed() {
  case $1$status in
    6? | 1[3570] | 7[350] | 5[30] | 30) status=$1 ;;
  esac
}

say() {
  printf '%s\n' "$1"
}

# problem STATUS MESSAGE
problem() {
  say "$2" >&2
  failed "$1"
}

length() {
  counted=$(wc -c < "$1") && echo $((counted))
}

# is FILE SHA256
is() {
  [ -f "$1" ] && [ ! -L "$1" ] && sum=$(digest < "$1") && [ "${sum%% *}" = "$2" ]
}

# need WHAT-FOR PROGRAM...: sets program to the first that is there
need() {
  what=$1
  shift
  for program; do
    command -v "$program" > /dev/null && return 0
  done
  names=$1
  shift
  for program; do names="$names or $program"; done
  case $told in
    *"<$names $what>"*) ;;
    *) problem 5 "cannot find $names, which is needed for $what" ;;
  esac
  told="$told<$names $what>"
  failed 5
  return 1
}

# proved FOLDER: whether the index in it has the digest that the checksums next to it give it
proved() {
  [ -r "$1/INDEX.tsv" ] && [ -r "$1/SHA256SUMS" ] && sum=$(digest < "$1/INDEX.tsv") &&
    grep -q -e "^${sum%% *}  [^/]*/INDEX\\.tsv\$" "$1/SHA256SUMS"
}

# on_volume PATH [BYTES]: sets found to its place on the first volume that has it
on_volume() {
  at=0
  while [ "$at" -lt "$folders" ]; do
    at=$((at + 1))
    eval "found=\$folder_$at/\$1"
    [ -e "$found" ] && { [ "$#" -eq 1 ] || [ "$(length "$found")" = "$2" ]; } && return 0
  done
  return 1
}

# parents FILE: makes the folders above it, which may have been left read-only by an earlier call
parents() {
  [ -d "${1%/*}" ] || mkdir -p "${1%/*}" 2> /dev/null || return 1
  [ -w "${1%/*}" ] || chmod u+wx "${1%/*}"
}

# real FOLDER: whether no link is on the way to it from the target, which could lead out of that
real() {
  [ "$1" != "$real" ] || return 0
  way=$1
  while [ "${#way}" -gt "${#target}" ]; do
    [ ! -L "$way" ] || return 1
    way=${way%/*}
  done
  real=$1
}

# put_back FILE MODE TIME
put_back() {
  [ -z "$2" ] || chmod "$2" "$1" || problem 1 "cannot set the permissions of $1"
  put_time "$@"
}

put_time() {
  [ -z "$3" ] || stamp "$1" "$3" || problem 1 "cannot set the time of $1"
}

# note STATE ROW: what became of a row of the index
note() {
  echo "$1 $2" >&3
}

# dig FILE HOLES: of a file that had holes, frees the blocks of zeros where this system can
dig() {
  [ -z "$2" ] || { chmod u+w "$1" && fallocate -d "$1"; } 2> /dev/null || :
}

# file ROW PATH SHA256 MODE TIME FIRST-NAME MEMBER HOLES
file() {
  to=$target/$2
  if [ -e "$to" ] || [ -L "$to" ] || ! real "${to%/*}"; then
    if real "${to%/*}" && is "$to" "$3"; then
      put_back "$to" "$4" "$5"
      note kept "$1"
    else
      problem 7 "another file is in the way: $to"
      note other "$1"
    fi
    return 0
  fi
  # A further name of a file that is restored already
  if [ -n "$6" ] && first=$target/$6 && [ -f "$first" ] && real "${first%/*}" && ln "$first" "$new" 2> /dev/null &&
    is "$new" "$3"; then
    adopt "$1" "$4" "$5"
    return 0
  fi
  [ ! -e "$new" ] || rm -f "$new"
  state=lost
  case $container in
    '')
      if ! on_volume "$2"; then
        state=absent
      elif cat "$found" > "$new"; then
        state=there
      else
        problem 1 "cannot copy $found"
        state=unread
      fi
      ;;
    *)
      open_container
      member=$unpacked/$7
      [ -z "$alone" ] || member=$unpacked/content
      if [ "$opened" != yes ]; then
        state=$opened
      elif real "${member%/*}" && [ -f "$member" ] && [ ! -L "$member" ] && mv "$member" "$new"; then
        state=there
      fi
      ;;
  esac
  if [ "$state" != there ]; then
    note "$state" "$1"
  elif is "$new" "$3"; then
    dig "$new" "$8"
    adopt "$1" "$4" "$5"
  else
    problem 6 "the checksum differs: $2"
    note wrong "$1"
  fi
  [ ! -e "$new" ] || rm -f "$new"
}

# adopt ROW MODE TIME: gives the new file its name
adopt() {
  put_back "$new" "$2" "$3"
  if parents "$to" && mv "$new" "$to"; then
    note restored "$1"
  else
    problem 1 "cannot write $to"
    note unread "$1"
    rm -f "$new"
  fi
}

# join WHOLE LONG-NAME BYTES SHA256: joins the parts that are at hand, which the function parts names, also over several calls.
# The length of NAME.joining shows how far it is.
join() {
  whole=$1
  joining=$1.joining
  if [ "$2" = long ]; then
    sum=$(printf '%s' "${1#"$top"}" | digest)
    joining=${1%/*}/$(printf '%.32s' "$sum").joining
  fi
  waiting=
  joined=unread
  if ! { parents "$whole" && [ ! -L "$joining" ] && { [ -e "$joining" ] || printf '' > "$joining"; } && have=$(length "$joining"); }; then
    problem 1 "cannot write $joining"
    return 1
  fi
  broken=
  parts
  [ -z "$broken" ] || return 1
  if [ "$have" -ne "$3" ]; then
    problem 3 "not complete: $whole (${waiting:-it has an unexpected length; delete $joining and begin again})"
    joined=waiting
    return 1
  fi
  if ! is "$joining" "$4"; then
    problem 6 "joined, but the checksum differs: $joining"
    joined=wrong
    return 1
  fi
  joined=yes
}

# part PATH OFFSET BYTES LABEL
part() {
  [ -z "$broken" ] && [ -z "$waiting" ] && [ "$have" -le "$2" ] || return 0
  if [ "$have" -ne "$2" ]; then
    waiting="it has an unexpected length; delete $joining and begin again"
  elif ! on_volume "$1" "$3"; then
    waiting="the next part is on volume $4"
  elif cat "$found" >> "$joining" && [ "$(length "$joining")" = $((have + $3)) ]; then
    have=$((have + $3))
  else
    # Only whole parts stay, so that another call can go on.
    dd if=/dev/null of="$joining" bs=1 seek="$have" count=0 2> /dev/null
    problem 1 "cannot copy $found to $joining"
    broken=yes
  fi
}

# whole ROW PATH LONG-NAME BYTES SHA256 MODE TIME HOLES: a file of the source in parts
whole() {
  to=$target/$2
  if [ -e "$to" ] || [ -L "$to" ] || ! real "${to%/*}"; then
    if real "${to%/*}" && is "$to" "$5"; then
      say "there already: $to"
      put_back "$to" "$6" "$7"
      note kept "$1"
    else
      problem 7 "another file is in the way: $to"
      note other "$1"
    fi
    return 0
  fi
  top=$target/
  if ! join "$to" "$3" "$4" "$5"; then
    note "$joined" "$1"
    return 0
  fi
  dig "$joining" "$8"
  put_back "$joining" "$6" "$7"
  if mv "$joining" "$to"; then
    say "joined: $to"
    note restored "$1"
  else
    problem 1 "cannot rename $joining"
    note unread "$1"
  fi
}

# container PATH METHOD LONG-NAME BYTES SHA256: what follows is in it. BYTES is empty for one that was not cut.
container() {
  container=$1
  method=$2
  long=$3
  cut_bytes=$4
  container_sha256=$5
  opened=no
  alone=
  case $method in
    files-*) alone=yes ;;
  esac
}

close_container() {
  [ "$opened" = no ] || rm -rf "$unpacked"
  [ "$opened" != yes ] || [ -z "$cut_bytes" ] || rm -f "$archive"
  container=
}

# open_container: unpacks it when the first file is wanted
open_container() {
  [ "$opened" = no ] || return 0
  opened=absent
  real=
  if [ -n "$cut_bytes" ]; then
    top=$scratch/joined/
    archive=$top$container
    if ! is "$archive" "$container_sha256"; then
      if ! join "$archive" "$long" "$cut_bytes" "$container_sha256"; then
        opened=$joined
        return 0
      fi
      mv "$joining" "$archive"
    fi
  else
    on_volume "$container" || return 0
    archive=$found
  fi
  rm -rf "$unpacked"
  if ! mkdir "$unpacked"; then
    opened=unread
    return 0
  fi
  [ -n "$alone" ] || say "unpacking: $container"
  opened=unopened
  unpack || return 0
  # Folders without permissions could not be emptied.
  chmod -R u+rwX "$unpacked"
  opened=yes
}

# unpack: fails where a program is missing; what cannot be unpacked is missed file by file
unpack() {
  case $method in
    7z-solid-*-content)
      need "unpacking $method" 7zz 7z 7za || return 1
      untar
      ;;
    7z-*)
      need "unpacking $method" 7zz 7z 7za || return 1
      seven_x "$archive"
      ;;
    tar-zst-*)
      need "unpacking $method" zstd || return 1
      untar
      ;;
    files-gzip-*)
      need "unpacking $method" gzip || return 1
      gzip -dc < "$archive" > "$unpacked/content"
      ;;
    files-zstd-*)
      need "unpacking $method" zstd || return 1
      zstd -dcq < "$archive" > "$unpacked/content"
      ;;
    files-lz4)
      need "unpacking $method" lz4 || return 1
      lz4 -dcq < "$archive" > "$unpacked/content"
      ;;
    squashfs-*)
      need "unpacking $method" unsquashfs 7zz 7z || return 1
      case $program in
        unsquashfs) unsquashfs -quiet -no-progress -force -dest "$unpacked" "$archive" > /dev/null ;;
        *) seven_x "$archive" ;;
      esac
      ;;
    iso)
      need "unpacking $method" xorriso 7zz 7z || return 1
      case $program in
        xorriso) iso_x "$archive" ;;
        *) seven_x "$archive" ;;
      esac
      ;;
    udzo)
      if [ "$(dd if="$archive" bs=8 count=1 2> /dev/null)" = encrcdsa ]; then
        problem 5 "cannot unpack $container: only Stowage (stowage restore) and a Mac (a double click) open an encrypted UDZO image"
        return 1
      fi
      need "unpacking $method" 7zz 7z dmg2img || return 1
      if ! command -v xorriso > /dev/null; then
        need "unpacking $method" 7zz 7z xorriso || return 1
        seven_x "$archive"
        return 0
      fi
      # xorriso knows names that 7-Zip changes.
      case $program in
        dmg2img) dmg2img -s "$archive" "$scratch/disc.iso" > /dev/null ;;
        *) "$program" x -so -tdmg "$archive" > "$scratch/disc.iso" ;;
      esac
      iso_x "$scratch/disc.iso"
      rm -f "$scratch/disc.iso"
      ;;
    borg-1-*)
      need "unpacking $method" borg || return 1
      # Only an encrypted repository has its key in it.
      ! grep -q '^key = ' "$archive/config" || ask_password
      (
        cd "$unpacked" || exit
        BORG_REPO=$archive
        BORG_BASE_DIR=$scratch/borg
        BORG_RELOCATED_REPO_ACCESS_IS_OK=yes
        BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes
        BORG_PASSPHRASE_FD=0
        unset BORG_PASSPHRASE BORG_PASSCOMMAND
        export BORG_REPO BORG_BASE_DIR BORG_RELOCATED_REPO_ACCESS_IS_OK BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK
        export BORG_PASSPHRASE_FD
        mkdir -p "$BORG_BASE_DIR" && say "$password" | borg extract --bypass-lock ::source
      )
      ;;
    restic-*)
      need "unpacking $method" restic || return 1
      # Where the set has no password, that of the repository is in its README.txt.
      own=$(sed -n 's/^Password: //p' "$archive/README.txt" 2> /dev/null)
      [ -n "$own" ] || ask_password
      unset RESTIC_PASSWORD RESTIC_PASSWORD_FILE RESTIC_PASSWORD_COMMAND
      say "${own:-$password}" | restic -q -r "$archive" --no-cache --no-lock restore latest --target "$unpacked" > /dev/null
      ;;
    *)
      problem 5 "cannot unpack $container: this script does not know the method $method"
      return 1
      ;;
  esac
  unpack_status=$?
  return 0
}

# untar: in these archives the folders come first, and into read-only ones only some programs put files. BusyBox stops there;
# when such folders have been made writable it comes further.
untar() {
  if tar --help 2>&1 | grep -q -e --delay-directory-restore; then
    packed_tar | tar --delay-directory-restore -xof - -C "$unpacked"
    return
  fi
  for attempt in 1 2 3 4 5; do
    packed_tar | tar -xof - -C "$unpacked" && return
    find "$unpacked" -type d ! -perm -700 | grep -q . || return
    [ "$attempt" = 5 ] || say "trying again: $container"
    chmod -R u+rwX "$unpacked"
  done
}

packed_tar() {
  case $method in
    7z-*) with_password "$program" x -so "$archive" ;;
    *) zstd -dcq --long=31 "$archive" ;;
  esac
}

iso_x() {
  xorriso -no_rc -report_about FAILURE -osirrox on -indev "stdio:$1" -extract / "$unpacked" 2>&1 > /dev/null |
    sed '/ : RockRidge filesystem manipulator/d; /^$/d' >&2
}

seven_x() {
  with_password "$program" x -y -bso0 -bsp0 "-o$unpacked" "$1"
}

# with_password COMMAND...: gives 7-Zip the password of an encrypted set on its input, where no other user can see it
with_password() {
  if [ -n "$password" ]; then
    say "$password" | "$@"
  else
    "$@"
  fi
}

# ask_password: once for all
ask_password() {
  [ -z "$password" ] || return 0
  if [ -t 0 ]; then
    # However it ends, what is typed afterwards is seen again.
    trap 'stty echo; echo >&2; exit 130' HUP INT TERM
    stty -echo
  fi
  printf 'Password: ' >&2
  IFS= read -r password
  if [ -t 0 ]; then
    stty echo
    trap - HUP INT TERM
    echo >&2
  fi
}

# as_is PATH: of an encrypted set whose full index could not be read
as_is() {
  to=$target/$1
  [ -z "$alone" ] || to=${to%.*}
  if ! real "${to%/*}"; then
    problem 7 "another file is in the way: $to"
    return 0
  fi
  if [ -e "$to" ]; then
    say "there already: $to"
    return 0
  fi
  open_container
  made=$unpacked
  [ -z "$alone" ] || made=$unpacked/content
  if [ "$opened" != yes ]; then
    [ "$opened" = unopened ] || problem 3 "not on these volumes: $1"
  elif [ "$unpack_status" -ne 0 ] && rmdir "$made" 2> /dev/null; then
    problem 6 "cannot unpack $1"
  elif ! { parents "$to" && mv "$made" "$to"; }; then
    problem 1 "cannot write $to"
  fi
}

# hard_link PATH FIRST-NAME: both are right, and become names of one file where the target's file system can do that
hard_link() {
  rm -f "$new"
  # mv refuses where they are that already.
  ln "$target/$2" "$new" 2> /dev/null && mv -f "$new" "$target/$1" 2> /dev/null
  rm -f "$new"
}

folder() {
  to=$target/$1
  if ! real "$to"; then
    problem 7 "another file is in the way: $to"
  else
    mkdir -p "$to" 2> /dev/null || problem 1 "cannot make the folder $to"
  fi
}

# symlink PATH TARGET TIME
symlink() {
  to=$target/$1
  if ! real "${to%/*}"; then
    problem 7 "another file is in the way: $to"
    return 0
  elif [ -L "$to" ] && [ "$(readlink "$to" && echo .)" = "$2
." ]; then
    :
  elif [ -e "$to" ] || [ -L "$to" ]; then
    problem 7 "another file is in the way: $to"
    return 0
  elif ! { parents "$to" && ln -s -- "$2" "$to"; }; then
    problem 1 "cannot write $to"
    return 0
  fi
  [ -z "$3" ] || stamp_link "$to" "$3" || problem 1 "cannot set the time of $to"
}

# own PATH MODE UID GID USER GROUP [NAME VALUE]...: gives it its owners, if this is root, and its extended attributes
own() {
  item=$target/$1
  real "${item%/*}" || return 0
  [ -z "$2" ] || [ ! -L "$item" ] || return 0
  mode=$2
  if [ "$me" = 0 ] && [ -n "$3" ]; then
    # By the names, where this system has them.
    { [ -n "$5$6" ] && chown -h "${5:-$3}:${6:-$4}" "$item" 2> /dev/null; } || chown -h "$3:$4" "$item" ||
      problem 1 "cannot set the owner of $item"
  fi
  shift 6
  [ "$#" -eq 0 ] || [ -z "$mode" ] || chmod u+rwx "$item"
  attach no "$@"
  [ -z "$mode" ] || chmod "$mode" "$item"
  attach yes "$@"
}

# attach LISTS [NAME VALUE]...: sets access control lists, which permissions change that are set later, or the others
attach() {
  lists=$1
  shift
  while [ "$#" -gt 1 ]; do
    is_list=no
    case $1 in
      system.posix_acl_*) is_list=yes ;;
    esac
    if [ "$is_list" = "$lists" ]; then
      if command -v setfattr > /dev/null; then
        setfattr -h -n "$1" -v "$2" "$item" || say "not put back: the extended attribute $1 of $item"
      elif [ "$(uname)" = Darwin ]; then
        xattr -wsx "$1" "${2#0x}" "$item" || say "not put back: the extended attribute $1 of $item"
      else
        say "not put back, as setfattr is missing: the extended attribute $1 of $item"
      fi
    fi
    shift 2
  done
}

# finish_folder PATH MODE TIME
finish_folder() {
  if [ -d "$target/$1" ] && real "$target/$1"; then put_back "$target/$1" "$2" "$3"; fi
}

if ! { [ ! -L "$scratch" ] && mkdir -p "$scratch/joined" && rm -rf "$unpacked" "$new" "$scratch/borg" && exec 3> "$scratch/log"; }; then
  echo "cannot write $scratch" >&2
  exit 1
fi

# Times: with nanoseconds, in whole seconds, or as POSIX has them, whichever this system's touch knows.
if touch -d @1.5 "$scratch/log" 2> /dev/null; then
  time_form='ns'
elif touch -d @1 "$scratch/log" 2> /dev/null; then
  time_form='s'
else
  time_form='date'
fi
case $time_form in
  date)
    stamp() { TZ=UTC0 touch -t "$2" "$1"; }
    stamp_link() { TZ=UTC0 touch -h -t "$2" "$1"; }
    ;;
  *)
    stamp() { touch -d "@$2" "$1"; }
    stamp_link() { touch -h -d "@$2" "$1"; }
    ;;
esac

# An index counts where the checksums next to it have its digest; that of another volume stands in for a damaged one.
lists=$here
believed=
if proved "$here"; then
  believed=yes
else
  at=0
  while [ "$at" -lt "$folders" ] && [ -z "$believed" ]; do
    at=$((at + 1))
    eval "folder=\$folder_$at"
    for own in "$folder"/*/INDEX.tsv; do
      own=${own%/*}
      if [ -z "$believed" ] && proved "$own"; then
        lists=$own
        believed=yes
        problem 6 "the index in $here is damaged: that in $own is used"
      fi
    done
  done
fi
index=$lists/INDEX.tsv
if [ -f "$lists/INDEX.7z" ] && [ -z "$parts_only" ]; then
  if need "reading the index of an encrypted set" 7zz 7z 7za; then
    ask_password
    if with_password "$program" x -so "$lists/INDEX.7z" INDEX.tsv > "$scratch/index"; then
      index=$scratch/index
      believed=yes
    else
      problem 6 "cannot read $lists/INDEX.7z: the archives are unpacked as they are"
    fi
  fi
fi
if [ -z "$believed" ]; then
  problem 6 "the index in $here does not match SHA256SUMS: contents are restored; times, permissions, owners and links are not"
fi
if [ ! -r "$index" ] && [ ! -r "$here/SHA256SUMS" ]; then
  echo "cannot read $index" >&2
  exit 1
fi
[ -r "$index" ] || index=/dev/null

# Bytes that sh takes as they are: the escapes of the index are undone, and everything is quoted.
words='
  BEGIN {
    for (code = 1; code < 256; code++) byte[sprintf("%02x", code)] = sprintf("%c", code)
    short["t"] = "\t"; short["n"] = "\n"; short["r"] = "\r"; short["\\"] = "\\"
  }
  function plain(text,   out, at, letter) {
    if (!index(text, "\\")) return text
    out = ""
    while ((at = index(text, "\\")) > 0) {
      letter = substr(text, at + 1, 1)
      out = out substr(text, 1, at - 1)
      if (letter == "x") {
        out = out byte[tolower(substr(text, at + 2, 2))]
        text = substr(text, at + 4)
      } else {
        out = out short[letter]
        text = substr(text, at + 2)
      }
    }
    return out text
  }
  function word(text) {
    text = plain(text)
    gsub(/\047/, "\047\"\047\"\047", text)
    return "\047" text "\047"
  }
  function name_length(path) {
    path = plain(path)
    sub(/^.*\//, "", path)
    return length(path) + 8 > 255 ? "long" : "short"
  }
  # The command that gives owners and attributes, where there is anything to give
  function own(path, mode, uid, gid, user, group, attributes,   text, count, pairs, at, equals) {
    if (attributes == "" && (me != 0 || uid == "" || uid == 0 && gid == 0)) return ""
    text = "own " word(path) " " word(mode) " " word(uid) " " word(gid) " " word(user) " " word(group)
    count = split(attributes, pairs, " ")
    for (at = 1; at <= count; at++) {
      equals = index(pairs[at], "=")
      text = text " " word(substr(pairs[at], 1, equals - 1)) " " word(substr(pairs[at], equals + 1))
    }
    return text "\n"
  }
  # The time in the form that this system understands; the nanoseconds are too long for the numbers of awk.
  function time(ns,   sign, seconds, fraction, days, rest, era, day, year, month) {
    if (ns == "") return ""
    sign = substr(ns, 1, 1) == "-" ? "-" : ""
    if (sign != "") ns = substr(ns, 2)
    while (length(ns) < 10) ns = "0" ns
    seconds = substr(ns, 1, length(ns) - 9)
    fraction = substr(ns, length(ns) - 8)
    if (form == "ns") return sign seconds "." fraction
    seconds = sign == "" ? seconds + 0 : -seconds - (fraction + 0 > 0)
    if (form == "s") return sprintf("%.0f", seconds)
    days = int(seconds / 86400)
    if (days * 86400 > seconds) days--
    rest = seconds - days * 86400
    # Days to a date of the Gregorian calendar, whose years begin in March here
    days += 719468
    era = int(days / 146097)
    day = days - era * 146097
    year = int((day - int(day / 1460) + int(day / 36524) - int(day / 146096)) / 365)
    day -= 365 * year + int(year / 4) - int(year / 100)
    month = int((5 * day + 2) / 153)
    day = day - int((153 * month + 2) / 5) + 1
    month = month < 10 ? month + 3 : month - 9
    year += era * 400 + (month <= 2)
    return sprintf("%04d%02d%02d%02d%02d.%02d", year, month, day, int(rest / 3600), int(rest / 60) % 60, rest % 60)
  }
'

# Lines of the index whose fields have the right shape, and whose paths stay in the target, are gone by; the others are counted. Where
# the index does not match the checksums, its lines name contents only, and contents that only the checksums have are added.
sums_file=$here/SHA256SUMS own_folder=${here##*/}/ judged=$scratch/judged \
  awk -F '\t' -v OFS='\t' -v trust="$trust" -v believed="$believed" "$words"'
  function is_number(text) { return text != "" && text !~ /[^0-9]/ }
  function is_optional(text) { return text == "" || is_number(text) }
  function is_digest(text) { return length(text) == 64 && text !~ /[^0-9a-f]/ }
  # No part of the path is empty, "." or ".."
  function is_inside(path) {
    if (index(path, "\\x00")) return 0
    path = plain(path)
    return ("/" path "/") !~ /\/\.?\.?\//
  }
  function are_attributes(text,   pairs, count, at) {
    count = split(text, pairs, " ")
    for (at = 1; at <= count; at++)
      if (pairs[at] !~ /^[^=]+=0x([0-9a-f][0-9a-f])*$/) return 0
    return 1
  }
  function is_right() {
    if (NF < 6 || !is_number($1) || !is_inside($6)) return 0
    if ($3 != "file" && $3 != "part" && $3 != "folder" && $3 != "symlink") return 0
    if ($3 == "file" || $3 == "part") {
      if (!($3 == "file" && $16 != "" && $4 $5 == "") && !(is_number($4) && is_digest($5))) return 0
    }
    if ($3 == "part" && !(is_inside($9) && is_number($10) && is_digest($11))) return 0
    if ($3 != "part" && $9 != "" && !is_inside($9)) return 0
    if ($14 != "" && !is_inside($14) || $15 != "" && !is_inside($15)) return 0
    return $7 !~ /[^0-7]/ && length($7) < 5 && $8 ~ /^-?[0-9]*$/ && $16 !~ /[^A-Za-z0-9+._-]/ &&
      is_optional($17) && is_optional($18) && are_attributes($21)
  }
  function without_capability(text,   pairs, count, at, out) {
    count = split(text, pairs, " ")
    for (at = 1; at <= count; at++) {
      if (pairs[at] ~ /^security\.capability=/) left++
      else out = out (out == "" ? "" : " ") pairs[at]
    }
    return out
  }
  BEGIN {
    ours = "  " ENVIRON["own_folder"]
    while (!believed && (getline line < ENVIRON["sums_file"]) > 0)
      if (is_digest(substr(line, 1, 64)) && line !~ /[\t\\]/ && index(line, ours) != 65)
        sums[substr(line, 67)] = substr(line, 1, 64)
  }
  /^#/ || $1 == "volume" || $0 == "" { next }
  !is_right() { bad++; next }
  !believed {
    if ($3 == "symlink" || $3 == "folder" && $16 == "") next
    $7 = $8 = $17 = $18 = $19 = $20 = $21 = ""
    path = plain($6)
    if (path in sums && $5 != "" && sums[path] != $5) { bad++; next }
    delete sums[path]
  }
  !trust && ($3 == "file" || $3 == "part") {
    if (length($7) == 4 && substr($7, 1, 1) > 1) {
      left++
      $7 = substr($7, 1, 1) % 2 substr($7, 2)
    }
    if (index($21, "security.capability=")) $21 = without_capability($21)
  }
  { print }
  END {
    for (path in sums) if (is_inside(path)) print 1, "", "file", "", sums[path], path, "", "", "", "", "", "", "", "", "", "", "", "", "", "", ""
    print "bad=" bad + 0 > ENVIRON["judged"]
    print "left=" left + 0 > ENVIRON["judged"]
  }
' "$index" > "$scratch/checked" || exit 1
bad=0
left=0
# shellcheck source=/dev/null
. "$scratch/judged"
[ "$bad" = 0 ] || problem 6 "damaged lines of the index, which are left out: $bad"
[ "$left" = 0 ] || problem 3 "rights of programs that are not put back (setuid, setgid, capabilities): $left; --trust puts them back"
index=$scratch/checked

packed=$(awk -F '\t' '!/^#/ && $1 != "volume" && $14 != "" { print "yes"; exit }' "$index")

# Rows are put in groups, one for each container and each split file: parts first, then the files, and further names of files last.
# Group 0 is of plain files and the last one of their further names. Paths are compared as they are written in the index.
awk -F '\t' -v OFS='\t' -v parts_only="$parts_only" '
  /^#/ || $1 == "volume" { next }
  function group_of(path) {
    if (!(path in groups)) groups[path] = ++count
    return groups[path]
  }
  NR == FNR {
    if ($16 != "" && $3 == "folder") repository[$6] = 1
    next
  }
  $16 != "" && !parts_only {
    above = $6
    while (match(above, /\/[^\/]*$/)) {
      above = substr(above, 1, RSTART - 1)
      if (above in repository) next
    }
    if ($3 == "part") print group_of($9), 0, $10, FNR, $0
    else print group_of($6), 0, 0, FNR, $0
    next
  }
  $16 != "" { next }
  $3 == "part" { print group_of($9), 0, $10, FNR, $0 }
  $3 != "file" || parts_only { next }
  {
    group = $14 != "" ? group_of($14) : $9 == "" ? 0 : 999999999
    rank = $9 == "" ? 1 : 2
    print group, rank, 0, FNR, $0
  }
' "$index" "$index" | sort -t '	' -k 1,1n -k 2,2n -k 3,3n -k 4,4n > "$scratch/rows"

awk -F '\t' -v form="$time_form" -v packed="$packed" "$words"'
  # Fields 5 to 20 are the columns of the index.
  function begin_container(path, bytes) {
    print "container " word(path), word(method), name_length(path), word(bytes), sha
    inside = 1
    bare = packed ? "" : path
  }
  function end_parts() {
    if (!pieces) return
    print "}"
    pieces = 0
    bytes = sprintf("%.0f", bytes)
    if (method != "") begin_container(of, bytes)
    else print "whole " row, word(of), name_length(of), bytes, sha, mode, when, holes
  }
  function end_group() {
    end_parts()
    if (bare != "") print "as_is " word(bare)
    if (inside) print "close_container"
    bare = inside = ""
  }
  $1 != group { end_group(); group = $1 }
  $7 == "part" {
    if (!pieces) { print "parts() {"; bytes = 0 }
    pieces = 1
    row = $4; of = $13; sha = word($15); method = $20; mode = word($11); when = word(time($12)); holes = word($17)
    if ($14 + $8 > bytes) bytes = $14 + $8
    print "part " word($10), $14, $8, word($6)
    next
  }
  $20 != "" { method = $20; sha = word($9); begin_container($10, ""); next }
  {
    end_parts()
    print "file " $4, word($10), word($9), word($11), word(time($12)), word($13), word($19 == "" ? $10 : $19), word($17)
  }
  END { end_group() }
' "$scratch/rows" > "$scratch/commands"

echo "begin 0" >&3
at=0
while [ "$at" -lt "$folders" ]; do
  at=$((at + 1))
  eval "about=\$folder_$at/\${here##*/}/README.txt"
  [ ! -r "$about" ] || sed -n '1s/^This is volume \([0-9]*\) of .*/given \1/p' "$about" >&3
done
# shellcheck source=/dev/null
. "$scratch/commands"
exec 3>&-

# Names that need all files, folders and their times, and what became of the files
if [ -z "$parts_only" ]; then
  : > "$scratch/folders"
  me=$(id -u)
  folders_file=$scratch/folders awk -F '\t' -v form="$time_form" -v me="$me" "$words"'
    NR == FNR {
      split($0, noted, " ")
      if (noted[1] == "given") given[noted[2]] = 1
      else state[noted[2]] = noted[1]
      next
    }
    /^#/ || $1 == "volume" || $16 != "" { next }
    me != 0 && $17 != "" && $17 != me { others++ }
    $3 == "folder" {
      print "folder " word($6)
      print $6 "\t" $7 "\t" $8 "\t" $17 "\t" $18 "\t" $19 "\t" $20 "\t" $21 > ENVIRON["folders_file"]
      next
    }
    $3 == "symlink" {
      print "symlink " word($6), word($12), word(time($8))
      printf "%s", own($6, "", $17, $18, $19, $20, $21)
      next
    }
    {
      path = $3 == "part" ? $9 : $6
      if (!(path in known)) { known[path] = 1; total++ }
      if (!(FNR in state)) next
      found = state[FNR]
      if (found == "restored" || found == "kept") {
        right++
        good[path] = 1
        if ($3 == "file" && $9 != "") first[path] = $9
        owned[path] = own(path, $7, $17, $18, $19, $20, $21)
      }
      if (found == "restored" || found == "lost" || found == "wrong") given[$1] = 1
      if (found == "unopened") unopened++
      if (found == "lost" || found == "absent") {
        missing[++misses] = path
        volume[misses] = $1
        label[$1] = $2
      }
    }
    function said(text) {
      gsub(/\047/, "\047\"\047\"\047", text)
      return "\047" text "\047"
    }
    function files(count) { return count == 1 ? "1 file" : count " files" }
    END {
      for (path in first) if (first[path] in good) print "hard_link " word(path), word(first[path])
      for (path in owned) printf "%s", owned[path]
      if (others) print "say " said("not put back: the owners of " others " files, folders and links, which only root can give away")
      for (miss = 1; miss <= misses; miss++) {
        if (volume[miss] in given) print "problem 6 " said("missing: " missing[miss])
        else if (!needed[volume[miss]]++) volumes[++wanted] = volume[miss]
      }
      for (want = 1; want <= wanted; want++)
        print "problem 3 " said("still needed: volume " label[volumes[want]] " for " files(needed[volumes[want]]))
      if (unopened) print "problem 5 " said("not unpacked: " files(unopened) " in archives that no program here opens")
      if (total) print "say " said(right + 0 " of " files(total) (total == 1 ? " is" : " are") " right")
    }
  ' "$scratch/log" "$index" > "$scratch/commands"
  # Folders come after what is in them, which changes their times.
  sort -r "$scratch/folders" | awk -F '\t' -v form="$time_form" -v me="$me" "$words"'
    {
      printf "%s", own($1, $2, $4, $5, $6, $7, $8)
      print "finish_folder " word($1), word($2), word(time($3))
    }
  ' >> "$scratch/commands"
  # shellcheck source=/dev/null
  . "$scratch/commands"
fi

# Parts of archives wait for the next call.
if find "$scratch/joined" -type f | grep -q .; then
  rm -rf "$unpacked" "$scratch/borg"
  rm -f "$scratch/log" "$scratch/index" "$scratch/checked" "$scratch/judged" "$scratch/rows" "$scratch/commands" "$scratch/folders" "$new"
else
  rm -rf "$scratch"
fi
exit "$status"
