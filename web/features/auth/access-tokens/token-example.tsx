import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'

/** Shows a command line that uses a token and works as it is. */
export function TokenExample() {
  const command = `curl -H "Authorization: Bearer $TOKEN" ${window.location.origin}/api/collections/`
  return (
    <SettingsGroup
      title="Use a token"
      lead={
        <>
          Send the token in the Authorization header. See the{' '}
          <a href="/api/docs" className={textLinkClass}>
            API documentation
          </a>
          .
        </>
      }
    >
      <CopyLine text={command} />
    </SettingsGroup>
  )
}
