// Takes away ways out of the page that are not needed to show it. What of this a page gets back by a trick ends at the
// browser, which has no network.
(() => {
	const gone = (object, name) => {
		try {
			Object.defineProperty(object, name, {value: undefined, configurable: false, writable: false});
		} catch { /* it is not there */ }
	};
	for (const name of ["WebSocket", "WebSocketStream", "WebTransport", "EventSource", "RTCPeerConnection",
		"webkitRTCPeerConnection", "Worker", "SharedWorker", "Notification", "PaymentRequest"]) {
		gone(globalThis, name);
	}
	if (globalThis.Navigator) {
		for (const name of ["serviceWorker", "mediaDevices", "geolocation", "usb", "bluetooth", "serial", "hid", "sendBeacon"]) {
			gone(Navigator.prototype, name);
		}
	}
	const nothing = (name, value) => {
		try {
			Object.defineProperty(globalThis, name, {value: () => value, configurable: false, writable: false});
		} catch { /* it is not there */ }
	};
	nothing("open", null);
	nothing("alert", undefined);
	nothing("confirm", false);
	nothing("prompt", null);
	nothing("print", undefined);
})();
