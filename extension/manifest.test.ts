import { expect, test } from 'vitest'
import { browserNames, createManifest } from './manifest.ts'

test.for(browserNames)('%s: the extension asks for no access to pages when it is installed', (name) => {
  const manifest = createManifest(name, '1.2.3')
  expect(manifest.permissions).toEqual(['activeTab', 'alarms', 'contextMenus', 'scripting', 'storage'])
  expect(manifest.optional_permissions).toEqual(['tabs'])
  expect(manifest).not.toHaveProperty('host_permissions')
  expect(manifest).not.toHaveProperty('content_scripts')
  expect(JSON.stringify(manifest)).not.toContain('<all_urls>')
})

test('each browser gets the kind of background script that it runs', () => {
  expect(createManifest('chrome', '1.2.3')).toMatchObject({
    background: { service_worker: 'background.js' },
    version: '1.2.3',
  })
  for (const name of ['firefox', 'safari'] as const)
    expect(createManifest(name, '1.2.3')).toMatchObject({ background: { scripts: ['background.js'] } })
})
