/** A named list of patterns that may be left out together. */
export interface Preset {
  /** Permanent. */
  readonly name: string
  /** The files that it leaves out, in one line. */
  readonly what: string
  /** In the form of gitignore(5). */
  readonly patterns: readonly string[]
}

/**
 * None is used unless a person asks for it. Each holds only what a program makes again by itself,
 * how a system shows a folder, or what it throws away; edits and originals are in none.
 */
export const PRESETS = [
  {
    name: 'litter',
    what: 'what systems leave in folders: .DS_Store, Thumbs.db, indexes, page files',
    patterns: [
      '.DS_Store',
      '.localized',
      '.apdisk',
      '.fseventsd/',
      '.Spotlight-V100/',
      '.TemporaryItems/',
      '.DocumentRevisions-V100/',
      '.PKInstallSandboxManager*/',
      'Thumbs.db',
      'Thumbs.db:encryptable',
      'ehthumbs.db',
      'ehthumbs_vista.db',
      '[Dd]esktop.ini',
      'System Volume Information/',
      '/pagefile.sys',
      '/hiberfil.sys',
      '/swapfile.sys',
      '.directory',
      'lost+found/',
      '@eaDir/',
      '.@__thumb/',
    ],
  },
  {
    name: 'trash',
    what: 'wastebaskets of macOS, Windows, Linux and network storage',
    patterns: [
      '.Trash/',
      '.Trash-*/',
      '.Trashes/',
      '**/.local/share/Trash/',
      '$RECYCLE.BIN/',
      'RECYCLER/',
      '#recycle/',
      '@Recycle/',
    ],
  },
  {
    name: 'caches',
    what: 'caches of programs: .cache, Library/Caches, __pycache__, thumbnails',
    patterns: [
      '.cache/',
      '**/Library/Caches/',
      '**/AppData/Local/Temp/',
      '.thumbnails/',
      '__pycache__/',
      '*.pyc',
      '*.pyo',
      '.mypy_cache/',
      '.pytest_cache/',
      '.ruff_cache/',
      '.ccache/',
      '.npm/',
      '.parcel-cache/',
      '.sass-cache/',
      '**/.cargo/registry/',
      '**/.gradle/caches/',
    ],
  },
  {
    name: 'dependencies',
    what: 'packages that a package manager fetches again: node_modules, .venv, Pods',
    patterns: [
      'node_modules/',
      'bower_components/',
      'jspm_packages/',
      '.venv/',
      'venv/',
      '.tox/',
      '.nox/',
      '**/vendor/bundle/',
      'Pods/',
      'Carthage/Build/',
      '**/.m2/repository/',
    ],
  },
  {
    name: 'previews',
    what: 'previews and render files of photo and video editors',
    patterns: [
      '*Previews.lrdata/',
      '**/CaptureOne/Cache/',
      '**/*.aplibrary/Previews/',
      '**/*.aplibrary/Thumbnails/',
      '**/*.photoslibrary/resources/derivatives/',
      'Adobe Premiere Pro Video Previews/',
      'Adobe Premiere Pro Audio Previews/',
      'Media Cache/',
      'Media Cache Files/',
      '*.pek',
      '*.cfa',
      'CacheClip/',
      '**/*.fcpbundle/**/Render Files/',
    ],
  },
] as const satisfies readonly Preset[]

export type PresetName = (typeof PRESETS)[number]['name']
export const PRESET_NAMES = PRESETS.map(({ name }) => name) as [PresetName, ...PresetName[]]

/** The patterns of some presets, each with the name of its preset, in the order of `PRESETS`. */
export function presetPatterns(
  names: readonly PresetName[],
): { readonly preset: PresetName; readonly pattern: string }[] {
  return PRESETS.filter(({ name }) => names.includes(name)).flatMap(({ name, patterns }) =>
    patterns.map((pattern) => ({ preset: name, pattern })),
  )
}
