// Copying and sharing a link: buttons that are there only where the browser can do it.
"use strict";

const linkOf = (selector) => document.querySelector(selector).value;

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(linkOf(button.dataset.copy));
    const words = button.querySelector("span");
    const before = words.textContent;
    words.textContent = button.dataset.copied;
    setTimeout(() => (words.textContent = before), 2000);
  });
}

for (const button of document.querySelectorAll("[data-share]")) {
  if (!navigator.share) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    // closing the sheet without sharing is no fault
    navigator.share({ title: button.dataset.title, url: linkOf(button.dataset.share) }).catch(() => {});
  });
}
