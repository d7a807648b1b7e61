/** What the three browsers are told about the extension: one table of what they share and one of what differs. */
import { productName } from './names.ts'

export const browserNames = ['chrome', 'firefox', 'safari'] as const
export type BrowserName = (typeof browserNames)[number]

/** In pixels. Safari asks for the largest one. */
export const iconSizes = [16, 32, 48, 128, 512] as const

/** The smallest versions in which the colours of web/ui/tokens.css and optional hosts work. */
const minimumVersions = { chrome: '123', firefox: '128.0', safari: '17.5' }

/** Chrome runs the background script as a service worker, the others as a page that they unload while it is idle. */
const differences: Record<BrowserName, object> = {
  chrome: {
    minimum_chrome_version: minimumVersions.chrome,
    background: { service_worker: 'background.js', type: 'module' },
  },
  firefox: {
    background: { scripts: ['background.js'], type: 'module' },
    browser_specific_settings: {
      gecko: {
        id: 'extension@reelmark.example',
        strict_min_version: minimumVersions.firefox,
        // What leaves the browser, although it goes to the user's own site only.
        data_collection_permissions: { required: ['bookmarksInfo', 'browsingActivity'] },
      },
    },
  },
  safari: {
    background: { scripts: ['background.js'], type: 'module', persistent: false },
    browser_specific_settings: { safari: { strict_min_version: minimumVersions.safari } },
  },
}

/** Returns the contents of manifest.json. `version` is that of the project. */
export function createManifest(browserName: BrowserName, version: string) {
  const icons = Object.fromEntries(iconSizes.map((size) => [size, iconFile(size)]))
  return {
    manifest_version: 3,
    name: productName,
    version,
    description: `Saves videos to your ${productName} site.`,
    icons,
    action: { default_popup: 'popup.html', default_title: `Save to ${productName}`, default_icon: icons },
    options_ui: { page: 'options.html', open_in_tab: true },
    permissions: ['activeTab', 'alarms', 'contextMenus', 'scripting', 'storage'],
    /** Asked for one feature each, when the user first uses it. */
    optional_permissions: ['tabs'],
    /** The user's site may have any address. Only that one is requested (connection/site-address.ts). */
    optional_host_permissions: ['https://*/*', 'http://*/*'],
    commands: {
      _execute_action: { suggested_key: { default: 'Alt+Shift+V' } },
      'save-page': { suggested_key: { default: 'Alt+Shift+S' }, description: 'Save this page' },
    },
    ...differences[browserName],
  }
}

export function iconFile(size: number): string {
  return `icon-${size}.png`
}
