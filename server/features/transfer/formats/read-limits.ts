/** Limits on the files of other tools, so that no file takes much memory or time, whatever it contains. */

/** Rows of one upload: the longest watch histories have 200,000. */
export const maxRows = 500_000
/** Decompressed bytes that are read from one upload, without the pictures of our own export. */
export const maxUnpackedBytes = 512 * 1024 * 1024
/** How many times larger than its compressed form an entry of a zip file may be, if it is larger than `freeUnpackedBytes`. */
export const maxRatio = 200
export const freeUnpackedBytes = 1024 * 1024
/** An export of 100,000 bookmarks has a picture of each. */
export const maxZipEntries = 110_000
/** Bytes of the names, additional fields and comments in the directory of a zip file, which is in memory while it is read. */
export const maxDirectoryBytes = 32 * 1024 * 1024
/** Entries of a zip file whose format is determined: data files, and pages. */
export const maxDataEntries = 2000
export const maxPageEntries = 20
/** Bytes of the beginning of a file by which its format is recognised. */
export const headBytes = 256 * 1024
/** The same for each entry of a zip file that has many. */
export const shortHeadBytes = 16 * 1024
export const manyEntries = 100
/** Characters of one row of a CSV file or one line of a list. */
export const maxRowLength = 1024 * 1024
/** Characters of one tag or comment of an HTML file; icons in attributes take some kilobytes. */
export const maxTagLength = 1024 * 1024
/** Folders within folders of a bookmark file. */
export const maxFolderDepth = 100
/** Collections or playlists of one file. */
export const maxFolders = 10_000
/** Objects and lists within each other. */
export const maxJsonDepth = 32
/** The values, names and punctuation of one item of a JSON file. */
export const maxJsonTokens = 120_000
/** Bytes of one item of a JSON file; wallabag's contain the text of the page. */
export const maxJsonItemBytes = 8 * 1024 * 1024
/** Milliseconds for reading one upload, including the time in which its items are stored. */
export const maxReadMs = 10 * 60 * 1000
