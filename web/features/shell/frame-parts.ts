import { Footer } from './footer.tsx'
import { RecruitingBanner } from './recruiting-banner.tsx'

/** The parts of every page that are loaded after it is shown. */
export const frameParts = { Footer, RecruitingBanner }
