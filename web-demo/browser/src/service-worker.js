// Caches the page for offline use. The build fills in the two capitalized names.
// The prefix separates our caches from those of other pages of the same origin.
const prefix = "callsheet-playground-";
const version = prefix + VERSION;
const names = NAMES;

self.addEventListener("install", (event) => {
  // Files without a hash in their names may be of the version before in the browser's own cache.
  const requests = names.map((name) => new Request(name, { cache: "reload" }));
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((kept) => kept.filter((name) => name.startsWith(prefix) && name !== version));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(caches.match(request, { ignoreSearch: true }).then((kept) => kept ?? fetch(request)));
});
