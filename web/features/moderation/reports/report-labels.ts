/** The labels of report types for users. */
import { getReportTypes, type ReportType, type TargetKind } from '@reelmark/contract/reports.ts'
import type { ReportTarget } from './report-target.ts'

export const reportLabels: Record<ReportType, string> = {
  broken_source: 'The link is broken or the video was removed',
  broken_thumbnail: 'The thumbnail is missing or wrong',
  broken_embed: "The video won't play",
  wrong_orientation: 'The orientation is wrong',
  minors: 'Involves minors',
  non_consensual: 'Made or shared without consent',
  violence_or_hate: 'Violence or hate',
  spam: 'Spam or a scam',
  copyright: 'Infringes copyright',
  title_and_picture: 'I hold the rights: remove title and picture',
  replace_link: 'Another link for a video that is gone',
  request_moderation: 'A moderator should look at this',
  other: 'Something else',
}

interface ReportGroup {
  title: string
  types: ReportType[]
}

const reportGroups: ReportGroup[] = [
  { title: 'Something is broken', types: ['broken_source', 'broken_embed', 'broken_thumbnail'] },
  { title: 'Wrong category', types: ['wrong_orientation'] },
  { title: 'Harmful content', types: ['minors', 'non_consensual', 'violence_or_hate'] },
  {
    title: 'Anything else',
    types: ['spam', 'copyright', 'title_and_picture', 'request_moderation', 'other'],
  },
]

/** Returns the groups of report types that apply to a kind of target. */
export function reportGroupsFor(kind: TargetKind): ReportGroup[] {
  const availableTypes = new Set(getReportTypes(kind))
  return reportGroups
    .map(({ title, types }) => ({ title, types: types.filter((type) => availableTypes.has(type)) }))
    .filter(({ types }) => types.length > 0)
}

/** Returns the text that explains to the reporter what happens next. */
export function afterReportText({ kind, linkToken }: Pick<ReportTarget, 'kind' | 'linkToken'>): string {
  const reviewSentence =
    kind === 'user'
      ? `A moderator will review this ${linkToken === undefined ? 'account' : 'collection'}.`
      : 'A moderator will review it. Until then it may be hidden: at once if it involves minors or was shared without consent, otherwise depending on your account and on other reports.'
  return `${reviewSentence} We'll notify you of the decision. Your report is anonymous.`
}
