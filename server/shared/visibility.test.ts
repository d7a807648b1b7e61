/** Queries use the conditions of visibility.ts and profile-visibility.ts and do not restate them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const server = join(import.meta.dirname, '..')

/** Conditions on visibility as SQL states them. Assignments (`set status = …`) do not match. */
const conditions = [
  /\b(?:where|and|or|on|not|when)\s+\(?(?:\w+\.)?is_(?:visible|listed|public|held)\b/,
  /\bdeleted_at is (?:not )?null\b/,
  /(?<!set )\b(?:\w+\.)?status (?:=|<>) '(?:visible|hidden|removed)'/,
  /\blead_bookmark_id is (?:not )?null\b/,
  /\baccess = 'public' (?:and|or)\b/,
  /(?<!set )\b\w+_visibility\s*(?:=|<>|in\b)/,
]

/** Lines that may state such a condition, because they do not decide what a viewer sees. */
const allowed: { file: string; line: RegExp; reason: string }[] = [
  {
    file: 'features/bookmarks/',
    line: /on conflict \(user_id, video_id, collection_id, channel_id\) where deleted_at is null do nothing/,
    reason: 'names the unique index by its predicate',
  },
  {
    file: 'features/moderation/jobs.ts',
    line: /status = 'removed'/,
    reason: 'deletes what was removed long ago',
  },
  {
    file: 'features/moderation/decisions/undo-decision.ts',
    line: /id = \$\{target_id\} and status = '(?:hidden|removed)'/,
    reason: 'changes the status only if it is the one that the decision set',
  },
  {
    file: 'features/bookmarks/merge/request-merge.ts',
    line: /bool_or\(status = '(?:hidden|removed)'/,
    reason: 'determines the stricter status of two videos that are merged',
  },
  {
    file: 'features/bookmarks/merge/scan-videos.ts',
    line: /status <> 'removed' and exists \(select from refused_links/,
    reason: 'removes a video whose link is refused, unless it is removed',
  },
  {
    file: 'core/auth/session.ts',
    line: /as has_held_comments/,
    reason: 'tells whether the viewer has comments under review, which only they see',
  },
  {
    file: 'features/comments/',
    line: /(?:c|held)\.status = 'hidden'/,
    reason: 'shows authors and moderators that a comment is under review, and counts it for its author',
  },
]

const sources = readdirSync(server, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name))
  .map((entry) => relative(server, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .filter((path) => !/node_modules|^testing\/|\.(?:test|fixture)\.ts$/.test(path))
  .filter((path) => !['shared/visibility.ts', 'shared/profile-visibility.ts'].includes(path))

function findConditions(text: string): string[] {
  return text.split('\n').filter((line) => conditions.some((condition) => condition.test(line)))
}

test('no query restates a visibility condition', () => {
  const found = sources.flatMap((path) =>
    findConditions(readFileSync(join(server, path), 'utf8'))
      .filter(
        (line) => !allowed.some((exception) => path.startsWith(exception.file) && exception.line.test(line)),
      )
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

test('every exception is still needed', () => {
  const unused = allowed.filter(
    ({ file, line }) =>
      !sources.some(
        (path) =>
          path.startsWith(file) &&
          findConditions(readFileSync(join(server, path), 'utf8')).some((text) => line.test(text)),
      ),
  )
  expect(unused).toEqual([])
})

test.each([
  'select from bookmarks b where b.is_visible',
  'and not is_public',
  'where user_id = 1 and b.deleted_at is null',
  "join videos v on v.status = 'visible'",
  "v.status <> 'removed'",
  'and v.lead_bookmark_id is not null',
  "(c.access = 'public' or c.user_id = 1)",
  "where u.profile_visibility = 'everyone'",
  "and u.likes_visibility <> 'only_me'",
])('recognises a visibility condition: %s', (line) => expect(findConditions(line)).toEqual([line]))

test.each(["update videos set status = 'visible' where id = 1", 'select b.is_public from bookmarks b'])(
  'does not mistake for a visibility condition: %s',
  (line) => expect(findConditions(line)).toEqual([]),
)
