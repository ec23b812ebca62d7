// Starts the demo and looks at its pages in a browser, light and dark, on a
// desk and on a phone. With a folder it takes the pictures for the README and
// the documentation as well, for which it lets the demo run for a while.
//
//   node main.mjs EXPORTER [FOLDER]

import { launch, open, phone, wide } from './browser.mjs'
import { checks } from './checks.mjs'
import { start } from './demo.mjs'
import { stage, take } from './pictures.mjs'

const [exporter, folder] = process.argv.slice(2)
if (!exporter) {
  console.error('usage: node main.mjs EXPORTER [FOLDER]')
  process.exit(2)
}

const paths = ['', '?q=tokyo&sort=rtt', '?q=nothing+is+like+this', 'target?name=cross_region', 'target?name=in_region', 'target?name=nobody']

// examine opens one page and returns how many complaints there are.
async function examine(browser, url, scheme, viewport) {
  const { page, complaints } = await open(browser, url, scheme, viewport)
  for (const check of checks) complaints.push(...await check(page))
  await page.close()
  for (const complaint of complaints) console.error(`${url} ${scheme} ${viewport.width}: ${complaint}`)
  return complaints.length
}

const demo = await start(exporter)
const browser = await launch()
try {
  await demo.succeeded()
  if (folder) await stage(demo)
  let pages = 0
  let complaints = 0
  for (const path of paths) {
    for (const scheme of ['light', 'dark']) {
      for (const viewport of [wide, phone]) {
        complaints += await examine(browser, demo.url + path, scheme, viewport)
        pages++
      }
    }
  }
  console.log(`${pages} pages looked at, ${complaints} complaints`)
  process.exitCode = complaints ? 1 : 0
  if (folder) await take(browser, demo.url, folder)
} finally {
  await browser.close()
  await demo.stop()
}
