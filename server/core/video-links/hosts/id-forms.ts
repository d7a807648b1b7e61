/** Forms of ids that several hosts use. */

export const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
export const upperUuid = /[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}/
export const hex32 = /[0-9a-f]{32}/
/** A path segment, percent-encoded where necessary. */
export const slug = /(?:[\w.~!'()*,+$&;=@-]|%[0-9A-F]{2})+/
