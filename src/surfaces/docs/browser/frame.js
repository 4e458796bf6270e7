/* global document, window, location, URL */
// Shows a page of a site to the admin app, which has frames of the service only, and passes their messages on.
(() => {
  const frame = document.querySelector('iframe');
  const address = new URL(decodeURIComponent(location.hash.slice(1)));
  if (!/^https?:$/.test(address.protocol)) return;
  frame.src = address.href;
  window.addEventListener('message', ({ origin, source, data }) => {
    if (source === window.parent && origin === location.origin)
      frame.contentWindow.postMessage(data, address.origin);
    if (source === frame.contentWindow && origin === address.origin)
      window.parent.postMessage(data, location.origin);
  });
})();
