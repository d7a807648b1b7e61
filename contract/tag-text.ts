/** Edits a list of tags as typed, separated by commas. */
import { splitTags } from './bookmarks.ts'

/** Returns the tag at the caret: its start and end in the line, and its text. */
export function tagAtCaret(line: string, caret: number): { start: number; end: number; text: string } {
  const start = line.lastIndexOf(',', caret - 1) + 1
  const comma = line.indexOf(',', caret)
  const end = comma === -1 ? line.length : comma
  return { start, end, text: line.slice(start, end).trim() }
}

/** Replaces the tag at the caret by `name`. Returns the new line and the caret after the tag. */
export function replaceTagAtCaret(
  line: string,
  caret: number,
  name: string,
): { line: string; caret: number } {
  const { start, end } = tagAtCaret(line, caret)
  const before = `${line.slice(0, start).trimEnd()}${start === 0 ? '' : ' '}${name}, `
  return { line: before + line.slice(end + 1).trimStart(), caret: before.length }
}

/** Returns the line with another tag. */
export function addTag(line: string, name: string): string {
  return [...splitTags(line), name].join(', ')
}

/** Returns the names that are not in the line. */
export function missingTags(line: string, names: readonly string[]): string[] {
  const existingNames = new Set(splitTags(line).map((tag) => tag.toLowerCase()))
  return names.filter((name) => !existingNames.has(name.toLowerCase()))
}
