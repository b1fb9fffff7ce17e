; The installer for Windows: installs for the person who starts it, without a question. It needs no plugins beyond NSIS's
; own. Given with -D: ARCHIVE (a 7z with what is installed), SEVENZIP (the folder with 7-Zip for Windows), OUTPUT, VERSION,
; ICON and KIB (the size when unpacked).
Target amd64-unicode
Unicode true
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor lzma
; The icon is made anew by each build.
SetDateSave off
Name "Stowage"
OutFile "${OUTPUT}"
BrandingText "Stowage ${VERSION}"

!include LogicLib.nsh
!include MUI2.nsh
!include WinMessages.nsh
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\Stowage.exe"
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
LangString project ${LANG_ENGLISH} "Stowage project"
LangString project ${LANG_GERMAN} "Stowage-Projekt"
LangString image ${LANG_ENGLISH} "Disk image"
LangString image ${LANG_GERMAN} "Abbild eines Datenträgers"
LangString damaged ${LANG_ENGLISH} "The files could not be unpacked. Free some space on the disk, then try again."
LangString damaged ${LANG_GERMAN} "Die Dateien konnten nicht entpackt werden. Schaffen Sie Platz und versuchen Sie es erneut."
LangString running ${LANG_ENGLISH} "Stowage is running. Close it, then try again."
LangString running ${LANG_GERMAN} "Stowage läuft. Beenden Sie es und versuchen Sie es erneut."

VIProductVersion "${VERSION}.0"
VIAddVersionKey /LANG=${LANG_ENGLISH} ProductName "Stowage"
VIAddVersionKey /LANG=${LANG_ENGLISH} CompanyName "The Stowage developers"
VIAddVersionKey /LANG=${LANG_ENGLISH} FileDescription "Stowage"
VIAddVersionKey /LANG=${LANG_ENGLISH} FileVersion "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} LegalCopyright "The Stowage developers"

!define CLASSES "Software\Classes"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Stowage"
!define COMMANDS "$INSTDIR\resources\bin"
!define CURRENT_USER "p 0xFFFFFFFF80000001"
!define REG_EXPAND_SZ 2
; A string, and one that names other variables, as it is.
!define RRF_STRING_NOEXPAND 0x10000006

; A program that runs cannot be written to; nothing is changed then.
!macro EndIfRuns program
  ${If} ${FileExists} "$INSTDIR\${program}"
    ClearErrors
    FileOpen $0 "$INSTDIR\${program}" a
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONEXCLAMATION $(running) /SD IDOK
      SetErrorLevel 1
      Quit
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

; Reads the person's own PATH into memory, for a string here holds 1024 characters only: $0 is the memory, with room for
; one more folder, $1 the type of the value.
!macro ReadPath
  StrCpy $2 0
  System::Call 'advapi32::RegGetValueW(${CURRENT_USER}, w "Environment", w "Path", i ${RRF_STRING_NOEXPAND}, p 0, p 0, *i .r2) i .r3'
  IntOp $2 $2 + 4096
  System::Alloc $2
  Pop $0
  System::Call 'advapi32::RegGetValueW(${CURRENT_USER}, w "Environment", w "Path", i ${RRF_STRING_NOEXPAND}, *i .r1, p r0, *i r2) i .r3'
  ${If} $3 <> 0
    StrCpy $1 ${REG_EXPAND_SZ}
  ${EndIf}
!macroend

; Writes it back and tells the programs that run.
!macro WritePath
  System::Call 'kernel32::lstrlenW(p r0) i .r2'
  IntOp $2 $2 * 2
  IntOp $2 $2 + 2
  System::Call 'advapi32::RegSetKeyValueW(${CURRENT_USER}, w "Environment", w "Path", i r1, p r0, i r2)'
  System::Free $0
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
!macroend

; "Open with" offers Stowage; the programs that open such files stay the same.
!macro OfferFor ending type
  WriteRegStr HKCU "${CLASSES}\${ending}\OpenWithProgids" "${type}" ""
!macroend
!macro OfferNoMore ending type
  DeleteRegValue HKCU "${CLASSES}\${ending}\OpenWithProgids" "${type}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${ending}\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${ending}"
!macroend
!macro ForEachEnding do
  !insertmacro ${do} ".yaml" "Stowage.Project"
  !insertmacro ${do} ".iso" "Stowage.Image"
  !insertmacro ${do} ".img" "Stowage.Image"
  !insertmacro ${do} ".dmg" "Stowage.Image"
  !insertmacro ${do} ".sparseimage" "Stowage.Image"
!macroend
!macro DescribeType type name
  WriteRegStr HKCU "${CLASSES}\${type}" "" "${name}"
  WriteRegStr HKCU "${CLASSES}\${type}\DefaultIcon" "" "$INSTDIR\stowage.ico"
  WriteRegStr HKCU "${CLASSES}\${type}\shell\open" "FriendlyAppName" "Stowage"
  WriteRegStr HKCU "${CLASSES}\${type}\shell\open\command" "" '"$INSTDIR\Stowage.exe" "%1"'
!macroend

; The folder belongs to the installer alone, for all of it is removed.
Function .onInit
  StrCpy $INSTDIR "$LOCALAPPDATA\Programs\Stowage"
FunctionEnd
Function un.onInit
  StrCpy $INSTDIR "$LOCALAPPDATA\Programs\Stowage"
FunctionEnd

Section
  !insertmacro EndIfRuns "Stowage.exe"
  !insertmacro EndIfRuns "resources\node\bin\node.exe"
  RMDir /r "$INSTDIR"
  ; NSIS itself packs with one core.
  InitPluginsDir
  SetOutPath "$PLUGINSDIR"
  File "${SEVENZIP}/7z.exe"
  File "${SEVENZIP}/7z.dll"
  SetCompress off
  File "/oname=stowage.7z" "${ARCHIVE}"
  SetCompress auto
  nsExec::Exec '"$PLUGINSDIR\7z.exe" x -y "-o$INSTDIR" "$PLUGINSDIR\stowage.7z"'
  Pop $0
  ${If} $0 != 0
    MessageBox MB_OK|MB_ICONSTOP $(damaged) /SD IDOK
    RMDir /r "$INSTDIR"
    SetErrorLevel 2
    Quit
  ${EndIf}
  SetOutPath "$INSTDIR"
  File "/oname=stowage.ico" "${ICON}"
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  CreateShortCut "$SMPROGRAMS\Stowage.lnk" "$INSTDIR\Stowage.exe" "" "$INSTDIR\stowage.ico"

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Stowage"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\stowage.ico"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Stowage developers"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${KIB}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1

  !insertmacro DescribeType "Stowage.Project" "$(project)"
  !insertmacro DescribeType "Stowage.Image" "$(image)"
  !insertmacro ForEachEnding OfferFor

  !insertmacro ReadPath
  System::Call 'shlwapi::StrStrIW(p r0, w "${COMMANDS}") p .r3'
  ${If} $3 = 0
    System::Call 'kernel32::lstrlenW(p r0) i .r2'
    ${If} $2 > 0
      System::Call 'kernel32::lstrcatW(p r0, w ";")'
    ${EndIf}
    System::Call 'kernel32::lstrcatW(p r0, w "${COMMANDS}")'
  ${EndIf}
  !insertmacro WritePath
SectionEnd

Section un.
  !insertmacro EndIfRuns "Stowage.exe"
  !insertmacro EndIfRuns "resources\node\bin\node.exe"
  RMDir /r "$INSTDIR"
  Delete "$SMPROGRAMS\Stowage.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${CLASSES}\Stowage.Project"
  DeleteRegKey HKCU "${CLASSES}\Stowage.Image"
  !insertmacro ForEachEnding OfferNoMore

  !insertmacro ReadPath
  StrCpy $4 ";${COMMANDS}"
  System::Call 'shlwapi::StrStrIW(p r0, w r4) p .r3'
  ${If} $3 = 0
    StrCpy $4 "${COMMANDS}"
    System::Call 'shlwapi::StrStrIW(p r0, w r4) p .r3'
  ${EndIf}
  ${If} $3 <> 0
    StrLen $5 $4
    IntOp $5 $5 * 2
    IntPtrOp $5 $3 + $5
    System::Call 'kernel32::lstrlenW(p r5) i .r2'
    IntOp $2 $2 * 2
    IntOp $2 $2 + 2
    System::Call 'kernel32::RtlMoveMemory(p r3, p r5, p r2)'
  ${EndIf}
  System::Call 'kernel32::lstrlenW(p r0) i .r2'
  ${If} $2 = 0
    System::Free $0
    DeleteRegValue HKCU "Environment" "Path"
  ${Else}
    !insertmacro WritePath
  ${EndIf}
SectionEnd
