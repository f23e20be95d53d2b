import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const systemChromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The machine's own Chromium, or else the one from npm: no download outside the registry. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch(await launchOptions())
}

/**
 * A browser whose person blocks third-party cookies: a page in a frame of another site has no storage of its own, and of
 * cookies the partitioned ones alone. Or all cookies. Or none, which the profiles of `newContext` cannot: those are
 * private ones, and block third-party cookies.
 */
export async function startBrowserThatBlocks(blocks: 'third-party' | 'all' | 'nothing'): Promise<BrowserContext> {
  const profile = mkdtempSync(join(tmpdir(), 'countersign-profile-'))
  mkdirSync(join(profile, 'Default'))
  const settings = {
    nothing: { block_third_party_cookies: false, cookie_controls_mode: 0 },
    'third-party': { block_third_party_cookies: true, cookie_controls_mode: 1 },
    all: { default_content_setting_values: { cookies: 2 } },
  }[blocks]
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify({ profile: settings }))
  const context = await chromium.launchPersistentContext(profile, await launchOptions())
  // A browser that has no settings of the kind, as the one from npm, is made to refuse as those do that have them.
  if (blocks !== 'nothing') await context.addInitScript(refuseStorage, blocks)
  // Chromium writes for a moment longer; what is left in the folder for temporary files does no harm.
  context.on(
    'close',
    () => void rm(profile, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 }).catch(() => {}),
  )
  process.once('exit', () => rmSync(profile, { recursive: true, force: true }))
  return context
}

/** Runs in the page. */
function refuseStorage(blocks: 'third-party' | 'all'): void {
  const isForeign = [...location.ancestorOrigins].some((origin) => new URL(origin).hostname !== location.hostname)
  if (blocks === 'third-party' && !isForeign) return
  const refuse = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, { configurable: true, get: refuse })
  if (blocks === 'all') Object.defineProperty(document, 'cookie', { configurable: true, get: () => '', set: () => {} })
}

/** Where it is; what comes from npm is unpacked by the first who asks. */
export async function findBrowser(): Promise<string> {
  return systemChromium.find((path) => existsSync(path)) ?? packagedChromium()
}

async function launchOptions() {
  return {
    executablePath: await findBrowser(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Fewer processes, and none in reserve: a test's browser has one page, and a machine few cores.
      '--in-process-gpu',
      // A page lives for seconds: what the last compiler makes faster takes longer to be compiled.
      '--js-flags=--no-opt',
      '--disable-features=SpareRendererForSitePerProcess',
    ],
  }
}

async function packagedChromium(): Promise<string> {
  // Makes the package bring its own system libraries; it reads this while it is being imported.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  const path = await packaged.executablePath()
  nameFonts(dirname(path))
  return path
}

/**
 * Names the fonts where they were unpacked, and those of the machine. The package's own file names `/tmp/fonts` alone;
 * without any font, Chromium ends at the first field that somebody can write into.
 */
function nameFonts(directory: string): void {
  const places = [join(directory, 'fonts'), '/usr/share/fonts'].map((place) => `<dir>${place}</dir>`)
  // Somebody may have removed them, and kept the browser.
  mkdirSync(join(directory, 'fonts'), { recursive: true })
  const file = join(directory, 'fonts', 'fonts.conf')
  writeFileSync(
    file,
    `<fontconfig>${places.join('')}<cachedir>${join(directory, 'fonts', 'cache')}</cachedir></fontconfig>`,
  )
}
