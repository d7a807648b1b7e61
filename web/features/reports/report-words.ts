/** Reports in plain words: what is chosen from, and what they are called afterwards. */
import { type ReportType, reportTypesOf, type TargetKind } from '@reelmark/contract/reports.ts'

export const reportLabels: Record<ReportType, string> = {
  broken_source: 'The video or its link is gone',
  broken_thumbnail: 'The picture is missing or wrong',
  broken_embed: 'The player does not play it',
  wrong_orientation: 'The orientation is wrong',
  minors: 'Involves minors',
  non_consensual: 'Made or shared without consent',
  violence_or_hate: 'Violence or hate',
  spam: 'Spam or a scam',
  copyright: 'Infringes copyright',
  request_moderation: 'A moderator should look at this',
  other: 'Something else',
}

interface ReportGroup {
  title: string
  types: ReportType[]
}

const groups: ReportGroup[] = [
  { title: 'It does not work', types: ['broken_source', 'broken_embed', 'broken_thumbnail'] },
  { title: 'It is in the wrong place', types: ['wrong_orientation'] },
  { title: 'It harms somebody', types: ['minors', 'non_consensual', 'violence_or_hate'] },
  { title: 'Anything else', types: ['spam', 'copyright', 'request_moderation', 'other'] },
]

/** What there is to choose from, in groups. */
export function reportGroupsOf(kind: TargetKind): ReportGroup[] {
  const there = new Set(reportTypesOf(kind))
  return groups
    .map(({ title, types }) => ({ title, types: types.filter((type) => there.has(type)) }))
    .filter(({ types }) => types.length > 0)
}

/** What follows from a report, for whoever makes it. */
export function whatHappensNext(kind: TargetKind): string {
  const first =
    kind === 'user'
      ? 'A moderator looks at what they do here.'
      : 'It is hidden until a moderator has looked at it; after reports of yours that were not right, it may stay in sight until then.'
  return `${first} You are told what was decided. Whoever it concerns is not told that it was you.`
}
