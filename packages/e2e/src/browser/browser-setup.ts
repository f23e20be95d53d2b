import { noteSharedProducts } from '../product/shared-product.ts'
import { findBrowser } from './browser.ts'

let endSharedProducts = async () => {}

export async function setup(): Promise<void> {
  // Unpacked once, before two files at a time want it.
  await findBrowser()
  endSharedProducts = noteSharedProducts()
}

export async function teardown(): Promise<void> {
  await endSharedProducts()
}
