/**
 * Lengths, sizes and times that server and web must agree on. Import as a namespace
 * (`import * as limits from '…/limits.ts'`): a page then contains only the constants it uses.
 */
export const pageSize = 25
export const commentsPageSize = 20
export const maxPageSize = 100
/** Lists count exactly up to this number. Beyond it they may return an estimate. */
export const exactCountMax = 10_000
/** Lists with filters apply an order other than newest, oldest or random to that many of the newest bookmarks. */
export const sortedMax = 10_000
/** How far down a bookmark can be moved by naming its position. */
export const reorderPositionMax = 10_000
/** A page number without a cursor reads at most that many rows before its page. */
export const skippedMax = 10_000
/** The order `relevance` applies to that many of the newest matches of a search, and to popular ones. */
export const rankedMax = 500

export const usernameMin = 3
export const usernameMax = 30
/** Days after which a username may be changed again. */
export const usernameChangeDays = 30
/** Maximum number of former usernames that lead to a user. */
export const formerUsernamesMax = 5
export const emailMax = 254
export const passwordMin = 8
export const passwordMax = 128
export const bioMax = 500
/** Bytes of an uploaded avatar. */
export const avatarMax = 5 * 1024 * 1024
/** Bytes of an uploaded thumbnail. */
export const thumbnailMax = 10 * 1024 * 1024
/** Pictures of a page that are offered as thumbnail. */
export const offeredPicturesMax = 8

export const urlMax = 2048
/** Length of a stored link. Longer than a link that is entered, because normalising can write one character as nine. */
export const storedUrlMax = 4096
/** Length of a host name, which the Domain Name System sets (RFC 1035). */
export const hostMax = 253
export const titleMax = 300
export const descriptionMax = 5000
export const privateNoteMax = 5000
/** A note at a time in a video, and how many a user can add to a bookmark. */
export const timedNoteMax = 500
export const timedNotesMax = 100
export const tagMax = 50
export const tagsMax = 30
export const commentMax = 500
/** Line breaks in a comment. More would push other comments off the page. */
export const commentLineBreaksMax = 30
export const nameMax = 100
export const notesMax = 2000
export const searchMax = 200
export const suggestedTagsMax = 10
/** Cards of each shelf of the home page. */
export const shelfMax = 12
/** Suggestions of each kind while typing a search. */
export const suggestionsMax = 5
/** Tags by which users to follow are suggested, and how many users are. */
export const pickedTagsMax = 10
export const suggestedUsersMax = 12
/** How many characters must follow `@` before users are suggested. */
export const mentionMin = 2
/** Users and collections that a search for names counts and lists. */
export const nameSearchMax = 500
/** Up to this many bookmarks of a collection or channel, their durations are added up. */
export const summedDurationsMax = 1_000
export const collectionsMax = 1000
export const channelsMax = 200
export const smartCollectionsMax = 500
/** Bookmarks and collections that a user pins to the top of their profile. The table has the same limit. */
export const pinsMax = 6
/** Collections listed on a profile. */
export const profileCollectionsMax = 25
/** Bookmarks changed by one bulk request. */
export const bulkMax = 500
/** Bookmarks collected by one request. */
export const collectAllMax = 2000
/** Bookmarks permanently deleted by one request to empty the trash. */
export const emptyTrashBatchMax = 5000
/** Tags that one request replaces or deletes. */
export const tagChangeMax = 100
/** Days in which replacing or deleting tags can be undone. */
export const tagChangeUndoDays = 7
/** Days until bookmarks in the trash are deleted permanently. */
export const trashRetentionDays = 30
/** Bookmarks shown as similar. */
export const similarMax = 10
/** Bookmarks of a play queue shown before and after the current one. */
export const playQueueBeforeMax = 5
export const playQueueAfterMax = 20
/** In seconds: one hundred days. */
export const durationMax = 8_640_000

/** Unread notifications, and users of a grouped notification, are counted up to this number. */
export const unreadMax = 100
/** Days until notifications are deleted. */
export const notificationRetentionDays = 90

/** Days in which the affected user can appeal and moderators can restore. */
export const appealDays = 30
/** Days in which savers can return to a link that was replaced for everyone. */
export const linkDeclineDays = 30
/** Characters of a content rule's pattern, and number of content rules. */
export const ruleMax = 200
export const rulesMax = 5000

/** Duration of a moderator's claim of a case. */
export const claimSeconds = 10 * 60

export const accessTokenSeconds = 15 * 60
export const rememberedSessionSeconds = 7 * 24 * 60 * 60
export const shortSessionSeconds = 24 * 60 * 60
/** Maximum lifetime of a session, however often it is refreshed. A constraint of the table enforces it too. */
export const sessionMaxSeconds = 90 * 24 * 60 * 60
/** How long a program has to exchange the code of a connection for an access token. */
export const connectionCodeSeconds = 60
/** Concurrent sessions of a user. A further login ends the one that was not used for longest. */
export const sessionsMax = 100
export const passwordResetSeconds = 60 * 60
export const emailConfirmationSeconds = 24 * 60 * 60
/** How long a reauthentication is valid. */
export const reauthenticationSeconds = 15 * 60
/** Lifetime of a ticket: from the password to the second step, or from passkey options to the passkey. */
export const ticketSeconds = 10 * 60
export const ticketAttemptsMax = 5
/** The maximum number of keys tried to solve a registration challenge; half as many on average. */
export const challengeTriesMax = 1500
export const recoveryCodesCount = 10
export const passkeysMax = 20
export const identitiesMax = 20
export const accessTokensMax = 50
export const webhooksMax = 10
/** Events of a webhook that wait to be sent. Further ones are dropped. */
export const webhookWaitingMax = 1000
/** Days in which the deliveries of webhooks are listed. */
export const webhookLogDays = 7
export const mutesMax = 500
/** Collections, channels and tags that a user follows: the feed reads the newest bookmarks of each. */
export const followedListsMax = 200
export const accessTokenDaysMax = 366
/** How long an export can be downloaded. */
export const exportRetentionSeconds = 7 * 24 * 60 * 60
/** Bytes of an import file. Large enough to import the export of a user with 100,000 bookmarks. */
export const importMax = 128 * 1024 * 1024
/** Bytes of an upload in chunks. Only zip files may be larger than `importMax`: most of their bytes are other files. */
export const uploadMax = 1024 * 1024 * 1024
/** Bytes of one chunk of an upload, characters of the name of its file, and hours until one that does not continue is deleted. */
export const uploadChunkMax = 2 * 1024 * 1024
export const fileNameMax = 255
export const uploadRetentionHours = 24
/** Days until an import that was not started is deleted with its file. */
export const importReviewDays = 3
/** Days until a finished import is deleted with its report. It can be undone until then. */
export const importRetentionDays = 30
/** Subscriptions of a user to channels and feeds of other sites. */
export const subscriptionsMax = 50
/** Videos of a web address that are imported at once. */
export const sourceItemsMax = 2000
/** Columns of a CSV file that are looked at. */
export const csvColumnsMax = 200
/** Links saved at once from a text. Each takes one of the 30 extractions of ten minutes. */
export const linksAtOnceMax = 25
export const nearExpirySeconds = 5 * 60
export const refreshCheckSeconds = 60 * 60
export const bookmarkCacheSeconds = 5 * 60
export const registrationCountdownSeconds = 5
export const savedBannerSeconds = 3
export const preloadedThumbnailsMax = 6
export const idempotencyRetentionSeconds = 24 * 60 * 60
