/** The parts of every page that are loaded after it is shown. */
export { Footer } from './footer.tsx'
export { RecruitingBanner } from './recruiting-banner.tsx'
