import { findBrowser } from './browser.ts'

/** Unpacked once, before two files at a time want it. */
export async function setup(): Promise<void> {
  await findBrowser()
}
