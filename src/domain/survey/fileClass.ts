export const FILE_CLASSES = [
  'text',
  'image',
  'audio',
  'video',
  'archive',
  'executable',
  'discImage',
  'other',
] as const
/** The kind of a file's content, as far as its name shows. */
export type FileClass = (typeof FILE_CLASSES)[number]

/**
 * Extensions by class, lower case, without dot. An extension has one class, the one that says most
 * about how its files repeat and compress:
 * - `text` is what a person or a program wrote as characters: prose, source, markup, data, logs,
 *   mail, subtitles.
 * - `image` includes camera raw files, vector drawings kept as text (svg) and the layered files
 *   of painting programs.
 * - `archive` is anything packed: general archives, single-file compression, software packages,
 *   backups, and documents that are zip files inside (docx, epub), because they behave like one.
 * - `executable` is machine code or byte code: programs, libraries, object files.
 * - `discImage` is a copy of a whole medium: optical discs, disks of virtual machines, floppies,
 *   tapes, and the cartridges of game machines (ROM files). `bin` and `img` are counted here, as
 *   most large files of these names are such copies.
 * `dts` counts as device-tree source, not as sound (also called `dtshd`). Of `md` and `ts` the size
 * of a file tells two formats apart (see `SHARED`).
 * Names that say little (`dat`, `db`, `tmp`) are `other`, and so is what is in no list.
 */
const EXTENSIONS: Readonly<Record<Exclude<FileClass, 'other'>, string>> = {
  text: `
    txt text md markdown mdown rst adoc asciidoc org tex ltx bib sty cls log nfo diz readme 1st asc csv tsv
    tab psv json jsonl ndjson json5 jsonc geojson topojson xml xsd xsl xslt dtd rng rnc rdf ttl owl dts dtsi html htm
    xhtml shtml mht mhtml css scss sass less styl yaml yml toml ini cfg conf cnf config properties env plist
    reg inf desktop service c h cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl m mm swift java kt kts scala sc
    groovy gradle clj cljs cljc edn go rs d nim zig v sv svh vhdl cs fs fsi fsx vb vbs bas pas pp dpr lpr
    inc py pyi pyw pyx pxd ipynb rb erb rake gemspec pl pm pod t php phtml phps js mjs cjs jsx tsx cts
    coffee vue svelte astro lua tcl tk r rmd rnw jl hs lhs ml mli elm erl hrl ex exs lisp lsp cl el scm ss
    rkt f f77 f90 f95 f03 for ada adb ads cob cbl cpy asm s nasm a51 sh bash zsh fish ksh csh tcsh bat cmd
    ps1 psm1 psd1 awk sed sql ddl graphql gql proto thrift avsc idl cmake mk mak makefile am ac m4 in ninja
    bazel bzl dockerfile tf hcl diff patch rej po pot strings resx xliff xlf srt sub ssa ass vtt lrc sbv eml
    mbox mbx emlx vcf vcard ics ical ldif rtf tcx gpx kml nmea igc obj mtl stl ply gcode nc dxf iges igs stp
    step wrl x3d gltf dae m3u m3u8 pls xspf sfv md5 sha1 sha256 sha512 par bibtex opml fb2 fountain usfm
    gitignore gitattributes editorconfig lock sum pem crt csr fasta fa fna faa fastq fq sam gff gff3 gtf bed
    cif mol sdf dict dic hex srec s19 ihex ts smi`,
  image: `
    jpg jpeg jpe jfif jif pjpeg jp2 j2k jpf jpx jpm jxl jxr wdp hdp png apng gif bmp dib rle tif tiff webp
    heic heif hif avif bpg ico cur icns svg svgz eps ps ai wmf emf cdr cgm psd psb xcf kra ora clip sai
    procreate afphoto afdesign pdn pspimage psp tga icb vda vst dds exr hdr pic pct pict pcx dcx pbm pgm ppm
    pnm pam pfm xbm xpm sgi rgb rgba bw ras sun fits fts dcm dicom djvu djv dng cr2 cr3 crw nef nrw arw srf
    sr2 srw raf orf rw2 rwl raw pef ptx dcr kdc k25 mrw x3f erf mef mos iiq 3fr fff gpr lri bay cine iff lbm
    ilbm ham flif qoi ktx ktx2 pvr astc cbf nii mrc czi lsm svs ndpi vsi xmp thm insp`,
  audio: `
    mp3 mp2 mp1 mpa m4a m4b m4p m4r aac adts ogg oga opus spx flac alac wav wave w64 rf64 bwf aif aiff aifc
    au snd wma asx ape mpc mpp mp+ wv wvc tta tak ofr ofs shn la dsf dff dst ac3 eac3 ec3 dtshd thd
    truehd mlp mka amr awb 3ga qcp gsm vox voc ra ram mid midi kar rmi xmf mod it s3m xm mtm stm 669 med okt
    umx mo3 sid psid nsf nsfe spc gbs vgm vgz psf psf2 minipsf ssf usf miniusf gsf minigsf hes kss ay sap
    sc68 sndh ym caf sd2 pcm sf2 sf3 sfz gig dls als flp cda aa aax aaxc act dss ds2 dvf msv hca adx brstm
    bcstm bfstm xwma fsb wem bnk`,
  video: `
    mp4 m4v mkv mk3d webm mov qt avi divx xvid wmv asf flv f4v f4p swf mpg mpeg mpe m1v m2v mpv mp2v m2p vob
    ifo bup evo m2ts mts m2t tp trp tod mod2 mxf gxf ogv ogm ogx 3gp 3gpp 3g2 3gpp2 rm rmvb rv amv dv dif
    hdv nut nsv nuv wtv dvr-ms dvrms y4m yuv h264 264 avc h265 265 hevc av1 ivf obu vp8 vp9 braw r3d ari mlv
    insv lrv 360 bik bk2 smk roq cpk usm fli flc flic mng mjpg mjpeg mj2 bdmv mpls clpi prproj drp veg`,
  archive: `
    zip zipx jar war ear apk apkm xapk aab ipa cbz cbr cb7 cbt 7z s7z rar r00 r01 r02 r03 tar tgz taz tbz
    tbz2 tb2 txz tlz tzst tzo gz gzip bz bz2 xz lz lzma lzo lz4 zst zstd br sz snappy z lha lzh lzx lzs arj
    arc ark pak ace zoo zpaq paq8 kgb uha uc2 sit sitx sea hqx cpt dd cab msi msp msu wim esd swm appx
    appxbundle msix msixbundle deb udeb rpm drpm snap flatpak pkg mpkg xar cpio shar a ar lbr alz egg ice
    sqx b1 b6z bh gca yz1 whl conda crate gem nupkg vsix xpi crx nar phar rpa asar squashfs sqfs sfs cramfs
    dwarfs docx docm dotx xlsx xlsm xlsb xltx pptx pptm ppsx potx odt ods odp odg odf odb ott ots otp sxw
    sxc sxi pages numbers key epub kepub azw azw3 mobi kfx ibooks 3mf kmz usdz bak bkf tib mrimg gho v2i
    par2 rev rz lrz arx wbk zpack unitypackage pk3 pk4 wad vpk bsa ba2 mpq casc rpf grp 001 002 003 z01 z02
    001x pack`,
  executable: `
    exe com dll sys ocx drv scr cpl efi mui ax acm so dylib bundle ko o lo elf axf out appimage class dex
    odex oat vdex art pyc pyo pyd wasm beam rlib rmeta node xll mex mexa64 mexw64 prx self sprx xex xbe dol
    rel nro nso nlm vxd 386 tsp ime msstyles winmd ilk exp pch gch bc dbg dsym lib pdb`,
  discImage: `
    iso img ima imz bin nrg mdf mds mdx ccd isz cdi cso ciso zso dax jso chd gdi toc tao daa uif pdi b5t b6t
    bwt bwi b5i c2d lcd udf dmg sparseimage sparsebundle dmgpart toast vcd vmdk vdi vhdx avhd avhdx qcow
    qcow2 qed hdd hds dsk do nib woz 2mg 2img d64 d71 d80 d81 d82 g64 g71 t64 tap tzx cdt adf adz dms ipf
    hdf hdz fdi st msa stx stt xdf td0 imd cqm fdd d88 d77 hdm xfd atr atx cas trd scl udi mgt opd uef ssd
    dsd adl adm jv1 jv3 dmk hfe scp wua gcm gcz rvz wbfs wia nkit wud wux 3ds cia cci nds dsi srl ids nsp
    xci nsz xcz gb gbc gba agb sgb nes fds unf unif sfc smc fig swc bs n64 z64 v64 ndd min gg sms sg 32x smd
    gen 68k a26 a52 a78 lnx j64 jag ws wsc ngp ngc npc pce sgx rom mx1 mx2 e01 ex01 aff4 s01 l01 ad1 aaruf
    dicf cdfs ufs ext4 simg ffu cue vhd dim vfd tvc`,
}

const CLASS_OF = new Map<string, FileClass>(
  Object.entries(EXTENSIONS).flatMap(([fileClass, list]) =>
    list
      .trim()
      .split(/\s+/)
      .map((extension): [string, FileClass] => [extension, fileClass as FileClass]),
  ),
)

/** A second format that has an extension of text, and the sizes that only its files have. */
interface SharedExtension {
  readonly fileClass: FileClass
  isOfSize(bytes: number): boolean
}

const KIB = 1024

/**
 * By extension. The size decides, not the content: it is known of files that are not read again
 * too, and of text hardly any file has such a size.
 */
const SHARED = new Map<string, SharedExtension>([
  // Cartridges of the Mega Drive have whole banks of 16 KiB; Markdown has that in 1 of 16,384.
  ['md', { fileClass: 'discImage', isOfSize: (bytes) => bytes >= 64 * KIB && bytes % (16 * KIB) === 0 }],
  // MPEG transport streams have packets of 188 bytes (ISO/IEC 13818-1).
  ['ts', { fileClass: 'video', isOfSize: (bytes) => bytes >= KIB * KIB && bytes % 188 === 0 }],
])

/** The other format that files with this extension may have. */
export function sharedExtension(extension: string): SharedExtension | undefined {
  return SHARED.get(extension)
}

/** The class of one file. */
export function classOfFile(extension: string, bytes: number): FileClass {
  const shared = SHARED.get(extension)
  return shared?.isOfSize(bytes) ? shared.fileClass : fileClassOf(extension)
}

/**
 * The usual class of files with this extension (lower case, without dot); `other` for what is not
 * known and for none.
 */
export function fileClassOf(extension: string): FileClass {
  return CLASS_OF.get(extension) ?? 'other'
}
