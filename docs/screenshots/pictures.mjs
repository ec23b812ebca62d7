// The pictures for the README and the documentation.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { open, phone, wide } from './browser.mjs'

const sharp = { ...wide, deviceScaleFactor: 1.5 }

const pictures = [
  { name: 'fleet', path: '', scheme: 'light', viewport: sharp },
  { name: 'fleet-dark', path: '', scheme: 'dark', viewport: sharp },
  { name: 'fleet-phone', path: '', scheme: 'light', viewport: phone },
  { name: 'target', path: 'target?name=cross_region', scheme: 'light', viewport: sharp },
  { name: 'target-dark', path: 'target?name=cross_region', scheme: 'dark', viewport: sharp },
  { name: 'target-phone', path: 'target?name=cross_region', scheme: 'light', viewport: phone },
]

// stage lets the demo live through something: the database in the other region
// moves farther away, so that a budget breaks, after some calm minutes.
export async function stage(demo) {
  const minutes = n => sleep(n * 60_000 * (process.env.MINUTE_FACTOR ?? 1))
  await minutes(8)
  await demo.move('cross_region', '14ms')
  await minutes(2)
  await demo.move('cross_region', '20ms')
  await minutes(4)
}

// take writes them as PNG.
export async function take(browser, url, folder) {
  await mkdir(folder, { recursive: true })
  for (const { name, path, scheme, viewport } of pictures) {
    const { page } = await open(browser, url + path, scheme, viewport)
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
    await page.close()
  }
}
