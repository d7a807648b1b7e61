/** Users, moderators and reported films for the tests of reports and decisions. */
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { approveReport, rejectReport } from '@reelmark/contract/decisions.ts'
import { createReport, type ReportType } from '@reelmark/contract/reports.ts'
import type { TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { grantStanding, signUp, signUpModerator, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'

/** Boots a site with Ana, who has standing, and two moderators. Call it at the top of a test file, like `useEmptySite`. */
export async function useModerationSite() {
  const site = await useEmptySite()
  const ana = await signUp(site, 'ana')
  await grantStanding(site, ana)
  const mod = await signUpModerator(site, 'mod')
  const other = await signUpModerator(site, 'other')
  let films = 0

  return {
    site,
    ana,
    mod,
    other,
    /** Saves a new film as `owner` and creates a new user Ben, who has standing. `films` is the number of the film. */
    async createReportedFilm(owner: TestUser) {
      films += 1
      const ben = await signUp(site, `ben${films}`)
      await grantStanding(site, ben)
      const { id: bookmark, video } = await saveFilm(site, owner, `reported-${films}`)
      return { ben, bookmark, video: video.id, films }
    },
    approve: (report_id: number, moderator = mod, fields = {}) =>
      site.call(approveReport, { body: { report_id, ...fields } }, moderator),
    reject: (report_id: number, moderator = mod, fields = {}) =>
      site.call(rejectReport, { body: { report_id, ...fields } }, moderator),
  }
}

interface ReportedFilm {
  ben: TestUser
  bookmark: number
  video: number
}

/** Returns calls that report and read the film that `getFilm` returns. */
export function reportedFilmCalls(site: TestApp, getFilm: () => ReportedFilm) {
  return {
    report(report_type: ReportType, reporter: TestUser = getFilm().ben, fields = {}) {
      const { bookmark, video } = getFilm()
      const body = { video_id: video, bookmark_id: bookmark, report_type, ...fields }
      return site.call(createReport, { body }, reporter)
    },
    /** Returns the status of the video as a viewer sees it, or the HTTP status of the error. */
    statusFor: (viewer: TestUser | null) =>
      site.call(getBookmark, { params: { id: getFilm().bookmark } }, viewer).then(
        ({ video: { status } }) => status,
        ({ status }: { status: number }) => status,
      ),
  }
}
