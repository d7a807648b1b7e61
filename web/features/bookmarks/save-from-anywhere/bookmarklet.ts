/**
 * Returns the code of a bookmarklet that opens `addPage` with the address and title of the current page. It loads nothing
 * and inserts nothing into that page, so that the page's Content-Security-Policy does not matter. If the browser opens no
 * new tab, the add page replaces the current page.
 */
export function bookmarkletCode(addPage: string): string {
  const query = 'new URLSearchParams({url:location.href,title:String(document.title).slice(0,300)})'
  return `javascript:(()=>{const u='${addPage}?'+${query};window.open(u)||(location.href=u)})()`
}
