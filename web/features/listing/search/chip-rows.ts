/** The rows of chips below the tools of a list, and the space that is reserved for them. */
export const chipRowsClass = 'mt-1 flex flex-wrap gap-2 max-sm:mb-3 sm:mt-2'
