import type { Case, listCases } from '@reelmark/contract/cases.ts'
import { reportStatuses, reportTypes, targetKinds } from '@reelmark/contract/moderation-names.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import type { ReportType, TargetKind } from '@reelmark/contract/reports.ts'
import { readId, readPage } from '../../../shared/paging/search-params.ts'

export const ages = [24, 72, 168, 720] as const
export const standings = ['good', 'poor', 'new'] as const
type Standing = (typeof standings)[number]
type Status = (typeof reportStatuses)[number] | 'all'

/** The search parameters of the moderation queue. Parameters at their default are undefined. */
export interface CaseSearch {
  /** Undefined means open. */
  status?: Exclude<Status, 'open'> | undefined
  type?: ReportType | undefined
  kind?: TargetKind | undefined
  /** Minimum age in hours. */
  age?: number | undefined
  standing?: Standing | undefined
  page?: number | undefined
  /** The open case: `video-12`. */
  case?: string | undefined
}

export interface CaseKey {
  kind: TargetKind
  id: number
}

export function caseKeyText({ target_kind, target_id }: Pick<Case, 'target_kind' | 'target_id'>): string {
  return `${target_kind}-${target_id}`
}

/** Reads a case key: `video-12`. Returns null if it is invalid. */
export function readCaseKey(name: unknown): CaseKey | null {
  const [, kind, number] = /^([a-z]+)-(\d{1,16})$/.exec(typeof name === 'string' ? name : '') ?? []
  const found = targetKinds.find((option) => option === kind)
  const id = readId(number)
  return found === undefined || id === undefined ? null : { kind: found, id }
}

/** Reads the search parameters and drops invalid values. */
export function readCaseSearch(search: Record<string, unknown>): CaseSearch {
  const status = [...reportStatuses, 'all' as const].find((option) => option === search.status)
  const key = readCaseKey(search.case)
  return {
    status: status === 'open' ? undefined : status,
    type: reportTypes.find((option) => option === search.type),
    kind: targetKinds.find((option) => option === search.kind),
    age: ages.find((option) => option === Number(search.age)),
    standing: standings.find((option) => option === search.standing),
    page: readPage(search.page),
    case: key === null ? undefined : `${key.kind}-${key.id}`,
  }
}

/** Returns the query of the case list endpoint. */
export function caseListQuery({ case: _, ...search }: CaseSearch): Input<typeof listCases>['query'] {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

export function isFiltered({ case: _, page: __, ...filters }: CaseSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
