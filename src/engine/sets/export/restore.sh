#!/bin/sh
# Restores the files of this set without Stowage: copies, joins and unpacks them, and checks each by SHA-256.
# Usage: sh RESTORE.sh [--trust] TARGET-FOLDER [VOLUME-FOLDER...]
# Without a volume folder it reads the volume that it is on. Run it again with other volumes until all files are there.
# --trust puts setuid, setgid and capabilities of files back: only for discs that are your own.
# Exit status, of several the first: 6 a file or the index is damaged or something is missing, 1 something could not be
# read or written, 7 another file is in the way, 5 a program is missing, 3 volumes are still missing, files were left out
# when the volumes were made, or rights of programs or links were not put back, 0 all files are right
# Names that the disk of the target cannot hold are changed: RESTORED-NAMES.tsv in it lists them.
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
# The control characters of UTF-8 from 128 to 159
c1=$(printf '\302[\200-\237]')
scratch=$target/.stowage-restore
unpacked=$scratch/unpacked
new=$scratch/new

# failed STATUS: the worst one is the script's
failed() {
  case $1$status in
    6? | 1[3570] | 7[350] | 5[30] | 30) status=$1 ;;
  esac
}

# say MESSAGE: without control characters, which are in names and a terminal would obey
say() {
  {
    printf '%s' "$1" | tr '\001-\037\177' '?'
    echo
  } | sed "s/$c1/?/g"
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

# proved FOLDER LIST: whether a list in it has the digest that the checksums next to it give it
proved() {
  [ -r "$1/$2.tsv" ] && [ -r "$1/SHA256SUMS" ] && sum=$(digest < "$1/$2.tsv") &&
    grep -q -e "^${sum%% *}  [^/]*/$2\\.tsv\$" "$1/SHA256SUMS"
}

# on_volume PATH [BYTES [LABEL]]: sets found to its place on the first volume that has it. In an archive that grows
# volumes of other generations may have other files under the same name.
on_volume() {
  at=0
  while [ "$at" -lt "$folders" ]; do
    at=$((at + 1))
    eval "found=\$folder_$at/\$1 label=\$label_$at"
    [ -z "$grown" ] || [ -z "${3-}" ] || [ "$label" = "$3" ] || continue
    [ -e "$found" ] && { [ -z "${2-}" ] || [ "$(length "$found")" = "$2" ]; } && return 0
  done
  return 1
}

# parents FILE: makes the folders above it, which may have been left read-only by an earlier call
parents() {
  [ -d "${1%/*}" ] || mkdir -p "${1%/*}" 2> /dev/null || return 1
  [ -w "${1%/*}" ] || chmod u+wx "${1%/*}"
}

# real FOLDER: whether no link is on the way to it from the target or from what is unpacked, which could lead out of these
real() {
  [ "$1" != "$real" ] || return 0
  way=$1
  base=$target
  [ "${way#"$unpacked"}" = "$way" ] || base=$unpacked
  while [ "${#way}" -gt "${#base}" ]; do
    [ ! -L "$way" ] || return 1
    way=${way%/*}
  done
  real=$1
}

# put_back FILE MODE TIME
put_back() {
  [ -z "$2" ] || [ -z "$permissions" ] || chmod "$2" "$1" || problem 1 "cannot set the permissions of $1"
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

# file ROW PATH SHA256 MODE TIME FIRST-NAME MEMBER HOLES PLACE LABEL: PLACE and FIRST-NAME are paths in the target
file() {
  to=$target/$9
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
  if [ -n "$6" ] && first=$target/$6 && [ -f "$first" ] && real "${first%/*}" &&
    { ln "$first" "$new" 2> /dev/null || cp "$first" "$new"; } && is "$new" "$3"; then
    adopt "$1" "$4" "$5"
    return 0
  fi
  [ ! -e "$new" ] || rm -f "$new"
  state=lost
  case $container in
    '')
      if ! on_volume "$2" '' "${10}"; then
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
      case $method in torrentzip-*) [ -f "$member" ] || old_name "$7" ;; esac
      [ -z "$alone" ] || member=$unpacked/content
      if [ "$opened" != yes ]; then
        state=$opened
      elif real "${member%/*}" && [ -f "$member" ] && [ ! -L "$member" ] && move "$member" "$new"; then
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

# move FILE NEW-FILE: to another disk without owners and permissions, which that may not take. In an archive that grows, several files
# may have one content.
move() {
  if [ -n "$grown" ]; then
    cat "$1" > "$2"
  elif [ "$unpacked" = "$scratch/unpacked" ]; then
    mv "$1" "$2"
  else
    cat "$1" > "$2" && rm -f "$1"
  fi
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
    problem 3 "not complete: ${container:-$whole} (${waiting:-it has an unexpected length; delete $joining and begin again})"
    joined=waiting
    return 1
  fi
  if ! is "$joining" "$4"; then
    problem 6 "joined, but the checksum differs: ${container:-$joining}"
    joined=wrong
    return 1
  fi
  joined=yes
}

# part PATH OFFSET BYTES LABEL CAUSE: the last one of a part that was left out of its volume
part() {
  [ -z "$broken" ] && [ -z "$waiting" ] && [ "$have" -le "$2" ] || return 0
  if [ "$have" -ne "$2" ]; then
    waiting="it has an unexpected length; delete $joining and begin again"
  elif ! on_volume "$1" "$3" "$4"; then
    waiting="the next part is on volume $4"
    [ -z "$5" ] || waiting="a part was left out while building $4: $5"
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

# container PATH METHOD BYTES SHA256 LABEL: what follows is in it. BYTES is empty for one that was not cut.
container() {
  container=$1
  method=$2
  cut_bytes=$3
  container_sha256=$4
  container_label=$5
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
    archive=$top$container_sha256
    if ! is "$archive" "$container_sha256"; then
      if ! join "$archive" short "$cut_bytes" "$container_sha256"; then
        opened=$joined
        return 0
      fi
      mv "$joining" "$archive"
    fi
  else
    on_volume "$container" '' "$container_label" || return 0
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
  if is_as_is; then
    cat < "$archive" > "$unpacked/content"
    unpack_status=$?
    return 0
  fi
  case $method in
    7z-solid-*-content)
      need "unpacking $method" 7zz 7z 7za || return 1
      untar
      ;;
    7z-* | torrentzip-*)
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
    files-lz4*)
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
        # UDF, which it would take otherwise, has other names for some.
        *) seven_x "$archive" -tiso ;;
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

# is_as_is: the method stores files of this type as they are, next to compressed ones
is_as_is() {
  case $method in
    files-*+as-is.*) ;;
    *) return 1 ;;
  esac
  case ${container##*/} in
    ?*.*) type=$(say "${container##*.}" | tr '[:upper:]' '[:lower:]') ;;
    *) return 1 ;;
  esac
  case ${method#*+as-is}. in
    *".$type."*) return 0 ;;
  esac
  return 1
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

# old_name MEMBER: 7-Zip leaves names in code page 437 as their bytes; those in ASCII are the same
old_name() {
  case $1 in *[!\ -~]*) ;; *) return ;; esac
  command -v iconv > /dev/null || problem 5 "names such as $1 need iconv"
  old=$(say "$1" | iconv -f UTF-8 -t CP437 2> /dev/null) || old=
  [ -z "$old" ] || member=$unpacked/$old
}

iso_x() {
  xorriso -no_rc -report_about FAILURE -osirrox on -indev "stdio:$1" -extract / "$unpacked" 2>&1 > /dev/null |
    sed '/ : RockRidge filesystem manipulator/d; /^$/d' >&2
}

seven_x() {
  with_password "$program" x -y -bso0 -bsp0 "-o$unpacked" "$@"
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
    trap 'exit 130' HUP INT TERM
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
  if [ "$me" = 0 ] && [ -n "$3" ] && [ -n "$owners" ]; then
    # By the names, where this system has them.
    { [ -n "$5$6" ] && chown -h "${5:-$3}:${6:-$4}" "$item" 2> /dev/null; } || chown -h "$3:$4" "$item" ||
      problem 1 "cannot set the owner of $item"
  fi
  shift 6
  [ -n "$permissions" ] || mode=
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

# What the target can hold is tried: links, permissions, owners, and names.
tried=$scratch/tried
rm -rf "$tried"
mkdir "$tried" && printf '' > "$scratch/trial" || exit 1
symlinks=
ln -s no/where "$tried/link" 2> /dev/null && [ -L "$tried/link" ] && symlinks=yes
hard_links=
ln "$scratch/trial" "$tried/second" 2> /dev/null && hard_links=yes
permissions=
chmod 640 "$scratch/trial" 2> /dev/null && [ -n "$(find "$scratch/trial" -perm 640)" ] && permissions=yes
owners=
chown 54321:54321 "$scratch/trial" 2> /dev/null && owners=yes
rm -f "$tried/link" "$tried/second" "$scratch/trial"

# holds NAME: whether a file can have the name, and has that very name then
holds() {
  held=no
  if { printf '' > "$tried/$1"; } 2> /dev/null; then
    for name in "$tried"/*; do
      [ "$name" != "$tried/$1" ] || held=yes
    done
    rm -f "$tried/$1"
  fi
  [ "$held" = yes ]
}

# are_one NAME OTHER-NAME: whether both name one file
are_one() {
  { printf '' > "$tried/$1"; } 2> /dev/null && [ -e "$tried/$2" ]
  one=$?
  rm -f "$tried/$1"
  return "$one"
}

# try_names: sets limited where the folder $tried cannot hold all names, and the variables that say which
try_names() {
  folds=
  are_one case CASE && folds=yes
  accents=
  are_one "$(printf '\303\251')" "$(printf 'e\314\201')" && accents=yes
  cuts=yes
  holds end. && holds 'end ' && cuts=
  devices=yes
  holds CON && holds aux.txt && devices=
  refused=
  for code in 001 002 003 004 005 006 007 010 011 012 013 014 015 016 017 020 021 022 023 024 025 026 027 030 031 032 033 034 \
    035 036 037 042 052 072 074 076 077 134 174 177; do
    # shellcheck disable=SC2059
    character=$(printf "\\$code.")
    holds "a${character%.}z" || refused=$refused${character%.}
  done
  longest=143
  holds "$(printf '%0255d' 0)" && longest=255
  utf16=
  holds "$(printf '%0255d' 0 | sed "s/0/$(printf '\345\255\227')/g")" && utf16=yes
  # A byte that is not UTF-8, and a code point without a character
  odd=yes
  holds "$(printf 'a\377z')" && holds "$(printf '\315\270')" && odd=
  limited=
  [ -z "$folds$accents$cuts$devices$refused$odd" ] && [ "$longest" = 255 ] || limited=yes
}
try_names

# An index counts where the checksums next to it have its digest; that of another volume stands in for a damaged one.
lists=$here
believed=
if proved "$here" INDEX; then
  believed=yes
else
  at=0
  while [ "$at" -lt "$folders" ] && [ -z "$believed" ]; do
    at=$((at + 1))
    eval "folder=\$folder_$at"
    for own in "$folder"/*/INDEX.tsv; do
      own=${own%/*}
      if [ -z "$believed" ] && proved "$own" INDEX; then
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
grown=$(sed -n '/^# generation/{p;q;}' "$index")
at=0
while [ "$at" -lt "$folders" ]; do
  at=$((at + 1))
  eval "about=\$folder_$at/\${here##*/}/README.txt"
  label=
  [ ! -r "$about" ] || label=$(sed -n '1s/^This is volume [0-9]* of [0-9]*, \(.*\), of an archive.*/\1/p' "$about")
  eval "label_$at=\$label"
done

# What volumes lack although the index has it, as they say themselves: the cause and the path, as the index writes it.
skipped_file=$scratch/skipped
export skipped_file
: > "$skipped_file"
at=0
while [ "$at" -lt "$folders" ]; do
  at=$((at + 1))
  eval "own=\$folder_$at/\${here##*/}"
  ! proved "$own" SKIPPED || sed '1,/^cause	/d' "$own/SKIPPED.tsv" >> "$skipped_file"
done

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
  # What volumes lack, by the path on them
  BEGIN {
    while (ENVIRON["skipped_file"] != "" && (getline line < ENVIRON["skipped_file"]) > 0) {
      split(line, pair, "\t")
      left_out[pair[2]] = pair[1]
    }
  }
  # Where an entry is in the target, which cannot hold all names
  BEGIN {
    while (ENVIRON["renamed_file"] != "" && (getline line < ENVIRON["renamed_file"]) > 0) {
      split(line, pair, "\t")
      if (pair[1] != "") any_renamed = renamed[pair[2]] = pair[1]
    }
  }
  function place(path,   above) {
    for (above = path; any_renamed != "" && above != ""; above = folder_of(above))
      if (above in renamed) return renamed[above] substr(path, length(above) + 1)
    return path
  }
  # In brackets BusyBox takes the backslash of "\/" as one of the characters.
  function folder_of(path) { return sub("/[^/]*$", "", path) ? path : "" }
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
    text = "own " word(place(path)) " " word(mode) " " word(uid) " " word(gid) " " word(user) " " word(group)
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
    if ($14 != "" && !is_inside($14) || $15 != "" && !is_inside($15) || $26 != "" && !is_inside($26)) return 0
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
  # An archive that grows: of the files that the source had before, those that it still has
  /^# generation\t/ { newest = $2; next }
  /^#/ || $1 == "volume" || $0 == "" || $16 == "" && $25 != "" && $25 != newest { next }
  !is_right() { bad++; next }
  # Labels tell its volumes apart.
  newest { $1 = $2 }
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

# Letters of which a disk that folds case takes several for one: code point and distance of the one that stands for them, or the first
# and the last code point of a range and their distance; of a range whose distance is 1 every second one. Of Unicode 17, without ASCII.
cases='
    181,775 192,214,32 216,222,32 256,302,1 305,-200 306,310,1 313,327,1 330,374,1 376,-121 377,381,1 383,-268 385,210 386,388,1
    390,206 391,1 393,394,205 395,1 398,79 399,202 400,203 401,1 403,205 404,207 406,211 407,209 408,1 412,211 413,213 415,214
    416,420,1 422,218 423,1 425,218 428,1 430,218 431,1 433,434,217 435,437,1 439,219 440,1 444,1 452,2 453,1 455,2 456,1 458,2
    459,475,1 478,494,1 497,2 498,500,1 502,-97 503,-56 504,542,1 544,-130 546,562,1 570,10795 571,1 573,-163 574,10792 577,1
    579,-195 580,69 581,71 582,590,1 837,116 880,882,1 886,1 895,116 902,38 904,906,37 908,64 910,911,63 913,929,32 931,939,32
    962,1 975,8 976,-30 977,-25 981,-15 982,-22 984,1006,1 1008,-54 1009,-48 1012,-60 1013,-64 1015,1 1017,-7 1018,1
    1021,1023,-130 1024,1039,80 1040,1071,32 1120,1152,1 1162,1214,1 1216,15 1217,1229,1 1232,1326,1 1329,1366,48 4256,4293,7264
    4295,7264 4301,7264 5024,5103,38864 5104,5109,8 7296,-6222 7297,-6221 7298,-6212 7299,7300,-6210 7301,-6211 7302,-6204
    7303,-6180 7304,35267 7305,1 7312,7354,-3008 7357,7359,-3008 7680,7828,1 7835,-58 7838,-7615 7840,7934,1 7944,7951,-8
    7960,7965,-8 7976,7983,-8 7992,7999,-8 8008,8013,-8 8025,-8 8027,-8 8029,-8 8031,-8 8040,8047,-8 8072,8079,-8 8088,8095,-8
    8104,8111,-8 8120,8121,-8 8122,8123,-74 8124,-9 8126,-7173 8136,8139,-86 8140,-9 8152,8153,-8 8154,8155,-100 8168,8169,-8
    8170,8171,-112 8172,-7 8184,8185,-128 8186,8187,-126 8188,-9 8486,-7517 8490,-8383 8491,-8262 8498,28 8544,8559,16 8579,1
    9398,9423,26 11264,11311,48 11360,1 11362,-10743 11363,-3814 11364,-10727 11367,11371,1 11373,-10780 11374,-10749
    11375,-10783 11376,-10782 11378,1 11381,1 11390,11391,-10815 11392,11490,1 11499,11501,1 11506,1 42560,42604,1 42624,42650,1
    42786,42798,1 42802,42862,1 42873,42875,1 42877,-35332 42878,42886,1 42891,1 42893,-42280 42896,42898,1 42902,42920,1
    42922,-42308 42923,-42319 42924,-42315 42925,-42305 42926,-42308 42928,-42258 42929,-42282 42930,-42261 42931,928
    42932,42946,1 42948,-48 42949,-42307 42950,-35384 42951,42953,1 42955,-42343 42956,42970,1 42972,-42561 42997,1
    65313,65338,32 66560,66599,40 66736,66771,40 66928,66938,39 66940,66954,39 66956,66962,39 66964,66965,39 68736,68786,64
    68944,68965,32 71840,71871,32 93760,93791,32 93856,93880,27 125184,125217,34'

# Names that the target cannot hold are changed. In each folder the first of several names that are one in the target keeps it, in the
# order of the index. In the others each character that the target refuses becomes "_", as does a dot or space at the end that it cuts;
# "_" precedes the name of a device, and "~1", "~2" and so on before the ending keeps names apart. Stowage has the same rule.
listed=$target/RESTORED-NAMES.tsv
if [ -n "$limited" ] || [ -z "$symlinks" ]; then
  cases=$cases tried=$tried refused=$refused awk -F '\t' -v limited="$limited" -v folds="$folds" -v accents="$accents" -v cuts="$cuts" \
    -v devices="$devices" -v longest="$longest" -v utf16="$utf16" -v symlinks="$symlinks" "$words"'
    # The entry, and before it the folders above it
    function add(path,   names, depth, at, above) {
      depth = split(path, names, "/")
      for (at = 1; at <= depth; at++) {
        above = above (at > 1 ? "/" : "") names[at]
        if (!(above in seen)) order[++count] = above
        seen[above] = 1
      }
    }
    function own_name(path) { sub(/^.*\//, "", path); return plain(path) }
    # A character in UTF-8
    function encoded(point) {
      if (point < 128) return octet[point]
      if (point < 2048) return octet[192 + int(point / 64)] octet[128 + point % 64]
      if (point < 65536) return octet[224 + int(point / 4096)] octet[128 + int(point / 64) % 64] octet[128 + point % 64]
      return octet[240 + int(point / 262144)] octet[128 + int(point / 4096) % 64] octet[128 + int(point / 64) % 64] octet[128 + point % 64]
    }
    # The bytes of the character that begins there; 1 for a byte that is not UTF-8
    function size_at(name, at,   lead, size, from, to, step, code) {
      lead = number_of[substr(name, at, 1)]
      if (lead < 194 || lead > 244) return 1
      size = lead < 224 ? 2 : lead < 240 ? 3 : 4
      from = lead == 224 ? 160 : lead == 240 ? 144 : 128
      to = lead == 237 ? 159 : lead == 244 ? 143 : 191
      for (step = 1; step < size; step++) {
        code = number_of[substr(name, at + step, 1)] + 0
        if (code < from || code > to) return 1
        from = 128
        to = 191
      }
      return size
    }
    # Whether the target can hold a character: of those that are not ASCII each is tried.
    function can_hold(one) {
      if (one !~ high) return !index(ENVIRON["refused"], one)
      if (!(one in can)) can[one] = system("{ printf \"\" > \"$tried/\"" word(one) "; } 2> /dev/null") == 0
      return can[one]
    }
    # The same for all texts that are one name in the target, where files with a number tell them
    function as_one(text,   path, one) {
      if (text in class) return class[text]
      path = ENVIRON["tried"] "/" text
      if ((getline one < path) <= 0) {
        close(path)
        one = ++classes
        print one > path
      }
      close(path)
      return class[text] = "/" one "/"
    }
    # The same for all names that are one in the target
    function folded(name,   at, size, one, out) {
      if (folds) name = tolower(name)
      if (name !~ high || !folds && !accents) return name
      out = ""
      for (at = 1; at <= length(name); at += size) {
        size = size_at(name, at)
        one = substr(name, at, size)
        if (folds && one in lower && can_hold(lower[one])) one = lower[one]
        out = out (accents || one !~ high ? one : as_one(one))
      }
      return accents && length(out) < 256 ? as_one(out) : out
    }
    function key(folder, name) { return folder "//" folded(name) }
    function held(name,   at, size, one, out, tail, stem) {
      out = name
      if (name ~ /[^A-Za-z0-9 ._(),+;=@&!#~-]/) {
        out = ""
        for (at = 1; at <= length(name); at += size) {
          size = size_at(name, at)
          one = substr(name, at, size)
          out = out (can_hold(one) ? one : "_")
        }
      }
      if (cuts && match(out, /[. ]+$/)) {
        tail = substr(out, RSTART)
        out = substr(out, 1, RSTART - 1)
        gsub(/./, "_", tail)
        out = out tail
      }
      if (devices) {
        stem = tolower(out)
        if ((at = index(stem, ".")) > 0) stem = substr(stem, 1, at - 1)
        sub(/ +$/, "", stem)
        if (stem in device) out = "_" out
      }
      return length(out) <= longest || utf16 && units(out) <= longest ? out : numbered(out, "")
    }
    # The 16-bit units of UTF-16
    function units(name,   at, size, count) {
      for (at = 1; at <= length(name); at += size) {
        size = size_at(name, at)
        count += size == 4 ? 2 : 1
      }
      return count
    }
    function numbered(name, suffix,   dot, ending, room, at, size) {
      ending = ""
      dot = match(name, /\.[^.]*$/)
      if (dot > 1 && length(name) - dot < 16) {
        ending = substr(name, dot)
        name = substr(name, 1, dot - 1)
      }
      room = longest - length(suffix ending)
      for (at = 1; at <= length(name); at += size) {
        size = size_at(name, at)
        if (at + size - 1 > room) {
          name = substr(name, 1, at - 1)
          if (cuts && suffix ending == "") sub(/[. ]$/, "_", name)
        }
      }
      return name suffix ending
    }
    # As the index writes names
    function escaped(name,   at, size, one, out) {
      if (name !~ /[^ -~]/ && !index(name, "\\")) return name
      out = ""
      for (at = 1; at <= length(name); at += size) {
        size = size_at(name, at)
        one = substr(name, at, size)
        if (one in escape) one = escape[one]
        else if (size == 1 && number_of[one] > 127) one = sprintf("\\x%02x", number_of[one])
        out = out one
      }
      return out
    }
    BEGIN {
      for (code = 1; code < 256; code++) {
        octet[code] = sprintf("%c", code)
        number_of[octet[code]] = code
        if (code < 32 || code == 127) escape[octet[code]] = sprintf("\\x%02x", code)
      }
      for (code = 128; code < 160; code++) escape[encoded(code)] = sprintf("\\xc2\\x%02x", code)
      high = "[^" octet[1] "-" octet[127] "]"
      device["con"] = device["prn"] = device["aux"] = device["nul"] = 1
      ends = split("0 1 2 3 4 5 6 7 8 9 " encoded(178) " " encoded(179) " " encoded(185), number, " ")
      for (at = 1; at <= ends; at++) device["com" number[at]] = device["lpt" number[at]] = 1
      escape["\\"] = "\\\\"; escape["\t"] = "\\t"; escape["\n"] = "\\n"; escape["\r"] = "\\r"
      ranges = split(ENVIRON["cases"], range, " ")
      for (at = 1; at <= ranges; at++) {
        size = split(range[at], number, ",")
        last = number[size == 3 ? 2 : 1] + 0
        off = number[size] + 0
        for (code = number[1] + 0; code <= last; code += off == 1 ? 2 : 1) lower[encoded(code)] = encoded(code + off)
      }
    }
    $16 != "" { next }
    limited { add($3 == "part" ? $9 : $6) }
    $3 == "symlink" && !symlinks { lost[++losses] = "\t" $6 "\t" $12 }
    END {
      taken[key("", "RESTORED-NAMES.tsv")] = 1
      for (at_entry = 1; at_entry <= count; at_entry++) {
        path = order[at_entry]
        name = own_name(path)
        if (held(name) != name || key(folder_of(path), name) in taken) others[++changes] = path
        else taken[key(folder_of(path), name)] = 1
      }
      for (change = 1; change <= changes; change++) {
        path = others[change]
        folder = folder_of(path)
        name = held(own_name(path))
        chosen = name
        for (number_at = 1; key(folder, chosen) in taken; number_at++) chosen = numbered(name, "~" number_at)
        taken[key(folder, chosen)] = 1
        renamed[path] = (folder == "" ? "" : place(folder) "/") escaped(chosen)
        any_renamed = "yes"
        print renamed[path] "\t" path "\t"
      }
      for (loss = 1; loss <= losses; loss++) print lost[loss]
    }
  ' "$index" > "$scratch/renamed" || exit 1
  if [ -s "$scratch/renamed" ]; then
    renamed_file=$scratch/renamed
    export renamed_file
    {
      printf '%s\n' '# Names that this disk cannot hold, and what they became. Fields are separated by tabs. In paths \\ is a backslash,
# \t a tab, \n a line feed, \r a carriage return, and \xHH the byte HH: of another control character, or one that
# is not UTF-8. Without a name in the first field it is a symbolic link, which this disk cannot hold, and its target.
# True names again: stowage restore --original-names THIS-FOLDER --to FOLDER
restored	original	target'
      # Names that other sets have there stay.
      [ ! -f "$listed" ] || [ -L "$listed" ] || cat "$listed"
      cat "$renamed_file"
    } | awk -F '\t' '
      /^#/ || $0 == "restored\toriginal\ttarget" { if (!known[$0]++) print; next }
      {
        name = $1 == "" ? "\t" $2 : $1
        if (!(name in line)) names[++count] = name
        line[name] = $0
      }
      END { for (at = 1; at <= count; at++) print line[names[at]] }
    ' > "$scratch/trial"
    if [ -e "$listed" ] && ! grep -q '^# Names that this disk cannot hold' "$listed"; then
      problem 7 "another file is in the way: $listed"
    else
      mv -f "$scratch/trial" "$listed" || problem 1 "cannot write $listed"
    fi
  fi
fi
rm -rf "$tried"

packed=$(awk -F '\t' '!/^#/ && $1 != "volume" && $14 != "" { print "yes"; exit }' "$index")
# Archives whose names the target cannot hold are unpacked elsewhere.
if [ -n "$packed" ] && [ -s "$scratch/renamed" ] && grep -q '^[^	]' "$scratch/renamed"; then
  staging=${TMPDIR:-/tmp}/stowage-restore.$$
  trap 'rm -rf "$staging"' EXIT
  trap 'exit 130' HUP INT TERM
  (umask 077 && mkdir "$staging") || exit 1
  unpacked=$staging/unpacked
  if ! (tried=$staging && try_names && [ -z "$limited" ]); then
    problem 7 "$staging cannot hold all names either: what has one that clashes or is refused is not unpacked; set TMPDIR to another disk"
  fi
fi

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
    while (match(above, "/[^/]*$")) {
      above = substr(above, 1, RSTART - 1)
      if (above in repository) next
    }
    if ($3 == "part") print group_of("\t" $9), 0, $10, FNR, $0
    else print group_of("\t" $6), 0, 0, FNR, $0
    next
  }
  $16 != "" { next }
  $3 == "part" { print group_of($9), 0, $10, FNR, $0 }
  $3 != "file" || parts_only { next }
  {
    group = $14 != "" ? group_of("\t" $14) : $9 == "" ? 0 : 999999999
    rank = $9 == "" ? 1 : 2
    print group, rank, 0, FNR, $0
  }
' "$index" "$index" | sort -t '	' -k 1,1n -k 2,2n -k 3,3n -k 4,4n > "$scratch/rows"

awk -F '\t' -v form="$time_form" -v packed="$packed$grown" "$words"'
  # Fields 5 to 20 are the columns of the index.
  function begin_container(path, bytes) {
    print "container " word(path), word(method), word(bytes), sha, word(label)
    inside = 1
    bare = packed ? "" : path
  }
  function end_parts() {
    if (!pieces) return
    print "}"
    pieces = 0
    bytes = sprintf("%.0f", bytes)
    if (method != "") begin_container(of, bytes)
    else print "whole " row, word(place(of)), name_length(place(of)), bytes, sha, mode, when, holes
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
    label = $6
    if ($14 + $8 > bytes) bytes = $14 + $8
    print "part " word($30 == "" ? $10 : $30), $14, $8, word($6), word(left_out[$10])
    next
  }
  $20 != "" { method = $20; sha = word($9); label = $6; begin_container($10, ""); next }
  {
    end_parts()
    print "file " $4, word($30 == "" ? $10 : $30), word($9), word($11), word(time($12)), word(place($13)), word($19 == "" ? $10 : $19), word($17), word(place($10)), word($6)
  }
  END { end_group() }
' "$scratch/rows" > "$scratch/commands"

echo "begin 0" >&3
at=0
while [ "$at" -lt "$folders" ]; do
  at=$((at + 1))
  eval "about=\$folder_$at/\${here##*/}/README.txt"
  if [ -n "$grown" ]; then
    eval "echo \"given \$label_$at\"" >&3
  elif [ -r "$about" ]; then
    sed -n '1s/^This is volume \([0-9]*\) of .*/given \1/p' "$about" >&3
  fi
done
# shellcheck source=/dev/null
. "$scratch/commands"
exec 3>&-

# Names that need all files, folders and their times, and what became of the files
if [ -z "$parts_only" ]; then
  : > "$scratch/folders"
  me=$(id -u)
  folders_file=$scratch/folders awk -F '\t' -v form="$time_form" -v me="$me" -v symlinks="$symlinks" -v hard_links="$hard_links" "$words"'
    NR == FNR {
      split($0, noted, " ")
      if (noted[1] == "given") given[noted[2]] = 1
      else state[noted[2]] = noted[1]
      next
    }
    /^#/ || $1 == "volume" || $16 != "" { next }
    me != 0 && $17 != "" && $17 != me { others++ }
    $3 == "folder" {
      print "folder " word(place($6))
      print $6 "\t" $7 "\t" $8 "\t" $17 "\t" $18 "\t" $19 "\t" $20 "\t" $21 > ENVIRON["folders_file"]
      next
    }
    $3 == "symlink" && !symlinks { lost_links++; next }
    $3 == "symlink" {
      print "symlink " word(place($6)), word($12), word(time($8))
      printf "%s", own($6, "", $17, $18, $19, $20, $21)
      next
    }
    {
      path = $3 == "part" ? $9 : $6
      if ($3 == "part" && left_out[$6] != "") whole_lacks[$9] = left_out[$6]
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
        lacks[misses] = left_out[$6]
        whole_of[misses] = $9
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
      for (path in first) if (first[path] in good) print "hard_link " word(place(path)), word(place(first[path]))
      for (path in first) if (path in good && first[path] in good) copies++
      if (copies && !hard_links) print "say " said("hard links are restored as copies, as the target has none: " copies)
      for (path in owned) printf "%s", owned[path]
      if (others) print "say " said("not put back: the owners of " others " files, folders and links, which only root can give away")
      for (miss = 1; miss <= misses; miss++) {
        if (lacks[miss] == "") lacks[miss] = whole_lacks[whole_of[miss]]
        if (lacks[miss] != "") print "problem 3 " said("left out while building: " lacks[miss] ": " missing[miss])
        else if (volume[miss] in given) print "problem 6 " said("missing: " missing[miss])
        else if (!needed[volume[miss]]++) volumes[++wanted] = volume[miss]
      }
      for (want = 1; want <= wanted; want++)
        print "problem 3 " said("still needed: volume " label[volumes[want]] " for " files(needed[volumes[want]]))
      if (unopened) print "problem 5 " said("not unpacked: " files(unopened) " in archives that no program here opens")
      if (lost_links) print "problem 3 " said("symbolic links that the target cannot hold: " lost_links)
      if (total) print "say " said(right + 0 " of " files(total) (total == 1 ? " is" : " are") " right")
    }
  ' "$scratch/log" "$index" > "$scratch/commands"
  # Folders come after what is in them, which changes their times.
  sort -r "$scratch/folders" | awk -F '\t' -v form="$time_form" -v me="$me" "$words"'
    {
      printf "%s", own($1, $2, $4, $5, $6, $7, $8)
      print "finish_folder " word(place($1)), word($2), word(time($3))
    }
  ' >> "$scratch/commands"
  # shellcheck source=/dev/null
  . "$scratch/commands"
fi

[ -n "$permissions" ] || say "permissions are not restored: the target does not keep them"
[ -n "$owners" ] || [ "$(id -u)" != 0 ] || say "owners are not restored: the target does not keep them"

# Parts of archives wait for the next call.
if find "$scratch/joined" -type f | grep -q .; then
  rm -rf "$unpacked" "$scratch/borg"
  rm -f "$scratch/log" "$scratch/index" "$scratch/checked" "$scratch/judged" "$scratch/rows" "$scratch/commands" "$scratch/folders" "$scratch/renamed" "$skipped_file" "$new"
else
  rm -rf "$scratch"
fi
exit "$status"
