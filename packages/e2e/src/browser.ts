import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const systemChromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The machine's own Chromium, or else the one from npm: no download outside the registry. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: systemChromium.find((path) => existsSync(path)) ?? (await packagedChromium()),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

async function packagedChromium(): Promise<string> {
  // Makes the package bring its own system libraries; it reads this while it is being imported.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}
