/** What Linux desktops are told about the application; all files are named after this. */
export const APP_ID = 'org.stowage.Stowage'
const PROJECT_TYPE = 'application/x-stowage-project'

/** The type of project files. */
export const PROJECT_MIME = `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="${PROJECT_TYPE}">
    <comment>Stowage project</comment>
    <comment xml:lang="de">Stowage-Projekt</comment>
    <sub-class-of type="application/yaml"/>
    <glob pattern="*.stowage.yaml" weight="60"/>
  </mime-type>
</mime-info>
`

/**
 * The entry in the menu of applications. Folders and disk images are opened by other programs; this
 * entry adds Stowage to "Open with".
 * @param {string} program as it is started
 */
export function desktopEntry(program) {
  const types = [
    PROJECT_TYPE,
    'inode/directory',
    'application/vnd.efi.iso',
    'application/x-cd-image',
    'application/x-raw-disk-image',
    'application/x-apple-diskimage',
  ]
  return `[Desktop Entry]
Type=Application
Name=Stowage
GenericName=Archive planner
GenericName[de]=Archivplaner
Comment=Plans archives from measurements
Comment[de]=Plant Archive anhand von Messungen
Exec=${program} %F
Icon=${APP_ID}
Terminal=false
StartupWMClass=Stowage
Categories=Utility;Archiving;
Keywords=archive;backup;disc;image;deduplication;
MimeType=${types.join(';')};
`
}

/**
 * What software centres show.
 * @param {{ version: string, date: string }} release the date as YYYY-MM-DD
 */
export function appStreamEntry({ version, date }) {
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${APP_ID}</id>
  <metadata_license>MIT</metadata_license>
  <project_license>MIT</project_license>
  <name>Stowage</name>
  <summary>Plan archives from measurements</summary>
  <summary xml:lang="de">Archive anhand von Messungen planen</summary>
  <developer_name>The Stowage developers</developer_name>
  <description>
    <p>
      Stowage reads a folder one time and shows how much every way to store it would save: discs, disk
      images, archives and backup repositories. Then it makes a set of discs that fits, builds the
      images and reads every file back.
    </p>
    <p xml:lang="de">
      Stowage liest einen Ordner einmal und zeigt, wie viel jede Art, ihn aufzubewahren, spart: Discs,
      Abbilder, Archive und Sicherungen. Danach stellt es einen passenden Satz von Discs zusammen,
      schreibt die Abbilder und liest jede Datei zurück.
    </p>
  </description>
  <launchable type="desktop-id">${APP_ID}.desktop</launchable>
  <categories>
    <category>Utility</category>
    <category>Archiving</category>
  </categories>
  <provides>
    <binary>stowage</binary>
    <mediatype>${PROJECT_TYPE}</mediatype>
  </provides>
  <content_rating type="oars-1.1"/>
  <releases>
    <release version="${version}" date="${date}"/>
  </releases>
</component>
`
}
