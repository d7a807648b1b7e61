/** Every length, size and time that both sides must agree on. Source: product.md section 9 and decisions.md. */
export const limits = {
  pageSize: 25,
  commentsPageSize: 20,
  maxPageSize: 100,
  /** Lists count exactly up to here; past it they may answer an estimate. */
  exactCountMax: 10_000,

  usernameMin: 3,
  usernameMax: 30,
  emailMax: 254,
  passwordMin: 8,
  passwordMax: 128,
  bioMax: 500,
  /** Bytes of a picture of oneself, as it is sent. */
  avatarMax: 5 * 1024 * 1024,

  urlMax: 2048,
  /** Of a link as it is kept: normalising may have made it longer than what can be typed in. */
  storedUrlMax: 4096,
  titleMax: 300,
  descriptionMax: 5000,
  tagMax: 50,
  tagsMax: 30,
  commentMax: 500,
  /** Line breaks in a comment: more would push what others say off the page. */
  commentLineBreaksMax: 30,
  nameMax: 100,
  notesMax: 2000,
  searchMax: 200,
  suggestedTagsMax: 10,
  collectionsMax: 1000,
  channelsMax: 200,
  /** Collections that a profile names. */
  profileCollectionsMax: 25,
  /** Bookmarks that one request changes. */
  bulkMax: 500,
  /** Bookmarks that one request collects. */
  collectAllMax: 2000,
  /** Bookmarks of the trash that one request removes for good. */
  emptyTrashBatchMax: 5000,
  /** Days that the trash keeps. */
  trashRetentionDays: 30,
  /** Shown as more like a bookmark. */
  similarMax: 10,
  /** Shown of what is played one after the other, around what plays. */
  playQueueBeforeMax: 5,
  playQueueAfterMax: 20,
  /** Seconds; a hundred days. */
  durationMax: 8_640_000,

  /** Unread notifications, and people of one, are counted up to here. */
  unreadMax: 100,
  /** Notifications are kept for so long. */
  notificationRetentionDays: 90,

  /** One can appeal, and moderators restore, for so long. */
  appealDays: 30,
  /** Characters of a rule of the block lists, as it is typed in; and how many rules there are. */
  ruleMax: 200,
  rulesMax: 5000,

  /** A moderator looks at something alone for so long. */
  claimSeconds: 10 * 60,

  accessTokenSeconds: 15 * 60,
  rememberedSessionSeconds: 7 * 24 * 60 * 60,
  shortSessionSeconds: 24 * 60 * 60,
  passwordResetSeconds: 60 * 60,
  emailChangeSeconds: 24 * 60 * 60,
  /** How long after showing who one is one may change how one signs in. */
  reauthenticationSeconds: 15 * 60,
  /** Between the password and the second step; between asking for a passkey and using it. */
  ticketSeconds: 10 * 60,
  ticketAttemptsMax: 5,
  /** A challenge at registration: so many keys are tried at most until it is solved, and half of that as a rule. */
  challengeTriesMax: 1500,
  recoveryCodesCount: 10,
  passkeysMax: 20,
  accessTokensMax: 50,
  mutesMax: 500,
  accessTokenDaysMax: 366,
  /** Exports can be downloaded for so long. */
  exportRetentionSeconds: 7 * 24 * 60 * 60,
  /** Bytes of a file to import: what is exported must come in again, also of somebody with 100,000 bookmarks. */
  importMax: 128 * 1024 * 1024,
  nearExpirySeconds: 5 * 60,
  refreshCheckSeconds: 60 * 60,
  bookmarkCacheSeconds: 5 * 60,
  registrationCountdownSeconds: 5,
  savedBannerSeconds: 3,
  preloadedThumbnailsMax: 6,
  idempotencyRetentionSeconds: 24 * 60 * 60,
} as const
