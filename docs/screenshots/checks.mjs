// What a page has to hold, whatever it shows. Each check returns complaints.

import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const checks = [accessible, noSidewaysScroll, everythingOpens, keyboardReaches, schemeIsKept]

// accessible is what axe finds, contrast included, at WCAG 2.2 AA and in its
// best practices.
async function accessible(page) {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => axe.run())
  return violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.target} ${n.failureSummary}`))
}

async function noSidewaysScroll(page) {
  const { inner, scroll, culprits } = await page.evaluate(() => ({
    inner: document.documentElement.clientWidth,
    scroll: document.documentElement.scrollWidth,
    culprits: [...document.querySelectorAll('main *')]
      .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .map(e => e.outerHTML.slice(0, 120)).slice(0, 5),
  }))
  return scroll > inner ? [`the page is ${scroll} wide in ${inner}: ${culprits.join(' … ')}`] : []
}

// everythingOpens opens what is folded, for the checks that follow.
async function everythingOpens(page) {
  await page.evaluate(() => document.querySelectorAll('details').forEach(d => { d.open = true }))
  return noSidewaysScroll(page)
}

// keyboardReaches presses Tab until the focus is back at the beginning: every
// control has been focused, and each time the focus could be seen.
async function keyboardReaches(page) {
  const wanted = await page.evaluate(() => {
    const list = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary, [tabindex="0"]')]
    list.forEach((e, i) => { e.dataset.stop = i })
    return list.map(e => e.outerHTML.slice(0, 100))
  })
  const reached = new Set()
  const complaints = []
  for (let i = 0; i <= wanted.length; i++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const e = document.activeElement
      const style = getComputedStyle(e)
      return { stop: e.dataset.stop, seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 }
    })
    if (at.stop === undefined) continue // the page itself, before it begins again
    reached.add(Number(at.stop))
    if (!at.seen) complaints.push(`the focus cannot be seen on ${wanted[at.stop]}`)
  }
  const missed = wanted.filter((_, i) => !reached.has(i)).map(html => `Tab does not reach ${html}`)
  return [...new Set(complaints), ...missed]
}

// schemeIsKept looks whether the page is as light or as dark as was asked for.
async function schemeIsKept(page) {
  return page.evaluate(() => {
    const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)
    const dark = matchMedia('(prefers-color-scheme: dark)').matches
    return (r + g + b < 384) === dark ? [] : [`the page is ${dark ? 'light' : 'dark'} where the other was asked for`]
  })
}
