// A headless Chromium, and a page in it that remembers what it should not do.

import puppeteer from 'puppeteer-core'

export const wide = { width: 1280, height: 900 }
export const phone = { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }

export const launch = () => puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'], // as root in a container
})

// open shows a page. complaints lists the console's errors, and every request
// but the one for the page itself.
export async function open(browser, url, scheme, viewport) {
  const page = await browser.newPage()
  const complaints = []
  page.on('console', m => ['error', 'warn'].includes(m.type()) && !isStatus(m, url) && complaints.push(`the console says: ${m.text()}`))
  page.on('pageerror', e => complaints.push(`an error in the page: ${e.message}`))
  page.on('request', r => r.url() !== url && complaints.push(`a request for ${r.url()}`))
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  await page.setViewport(viewport)
  await page.goto(url, { waitUntil: 'networkidle0' })
  return { page, complaints }
}

// isStatus tells whether a message is only that the page's own status is 404.
const isStatus = (message, url) => message.location().url === url && message.text().includes('status of 404')
