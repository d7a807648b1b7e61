import BookmarkPlus from 'lucide-react/icons/bookmark-plus'
import { type MouseEvent, useState } from 'react'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { bookmarkletCode } from './bookmarklet.ts'
import { Steps } from './steps.tsx'

/** The bookmarklet: a link to drag, its code to copy, and how to add it to each browser. */
export function BookmarkletGroup({ addPage }: { addPage: string }) {
  const code = bookmarkletCode(addPage)
  const [isPressed, setPressed] = useState(false)

  function explain(event: MouseEvent) {
    // It would add this page, which is no video.
    event.preventDefault()
    setPressed(true)
  }

  return (
    <SettingsGroup
      title="Bookmarklet"
      lead="A bookmark for your browser that opens Add Bookmark with the address and title of the page you're on. It reads nothing else."
    >
      <div className="flex flex-wrap items-center gap-3">
        {/* React removes links with code, so the address is set directly. */}
        <a
          ref={(link) => link?.setAttribute('href', code)}
          href={addPage}
          draggable
          onClick={explain}
          className={buttonClass('accent', 'md', 'cursor-grab')}
        >
          <BookmarkPlus className="size-4" />
          Save to Reelmark
        </a>
        <CopyButton text={code} label="Copy code" />
      </div>
      <p role="status" className="text-14 text-ink empty:hidden">
        {isPressed && 'Drag this button to your bookmarks bar, or copy its code into a new bookmark.'}
      </p>
      <Steps title="On a computer">
        <li>Show the bookmarks bar: press Ctrl+Shift+B, or ⌘+Shift+B on a Mac.</li>
        <li>Drag the “Save to Reelmark” button to the bar.</li>
        <li>On the page of a video, click it there.</li>
      </Steps>
      <Steps title="Safari on iPhone and iPad">
        <li>Press “Copy code” above.</li>
        <li>Add a bookmark of any page and name it “Save to Reelmark”.</li>
        <li>Edit this bookmark: replace its address with the code.</li>
        <li>On the page of a video, open your bookmarks and choose it.</li>
      </Steps>
      <Steps title="Chrome on Android">
        <li>Press “Copy code” above.</li>
        <li>
          Add a bookmark of any page, then edit it: name it “Save to Reelmark” and replace its URL with the
          code.
        </li>
        <li>On the page of a video, type “Save to” into the address bar and choose the bookmark.</li>
      </Steps>
    </SettingsGroup>
  )
}
