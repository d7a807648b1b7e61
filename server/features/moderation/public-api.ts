/** What other areas may import from `moderation`: re-exports only. */
export { holdBeforeLink, holdPublished } from './content-rules/hold-published.ts'
export {
  bookmarkParts,
  type CompiledRules,
  currentRules,
  hasNoRules,
  isAllowed,
  metadataParts,
  normalisedWords,
  screenContent,
  uploaderPart,
  usernamePart,
} from './content-rules/screen-content.ts'
export {
  decideLinkProposal,
  listLinkProposals,
  type ProposedLink,
  proposeLink,
} from './decisions/link-proposals.ts'
export { replaceLinksJob } from './decisions/rulings.ts'
export {
  type HoldReason,
  reportHeldComment,
  reportHeldUser,
  reportRefusedPicture,
} from './reports/automatic-reports.ts'
