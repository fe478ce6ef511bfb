// Asks for every path as scripts do, and for some of them in every way that a page can. It answers with what it read, and with what was
// opened or run.
async (paths, some) => {
	const got = {Own: 0, Statuses: {}, Opened: []};
	got.Own = (await fetch("/attack")).status;
	const read = async (path, options) => {
		try {
			const status = (await fetch(location.origin + path, {redirect: "manual", credentials: "include", ...options})).status;
			got.Statuses[status] = (got.Statuses[status] ?? 0) + 1;
		} catch {
			got.Statuses.failed = (got.Statuses.failed ?? 0) + 1;
		}
	};
	// One element for each path. It must tell that it failed; a frame tells only that something was loaded, and is read.
	const element = (tag, attribute, path, more = {}) => new Promise((done) => {
		const e = Object.assign(document.createElement(tag), more);
		e.onerror = () => done();
		e.onload = () => {
			const text = tag === "iframe" ? e.contentDocument?.body?.innerText ?? "" : "loaded";
			if (!text.startsWith("Nightjar does not answer under this name.") && text !== "") got.Opened.push(tag + " " + path + ": " + text.slice(0, 80));
			done();
		};
		e[attribute] = location.origin + path;
		document.body.append(e);
		setTimeout(done, 10000);
	});
	const stream = (path, Kind, address) => new Promise((done) => {
		const s = new Kind(address + path);
		s.onopen = () => { got.Opened.push(Kind.name + " " + path); s.close(); done(); };
		s.onerror = () => { s.close(); done(); };
	});
	const form = (path) => new Promise((done) => {
		const frame = Object.assign(document.createElement("iframe"), {name: "f" + Math.random()});
		const f = Object.assign(document.createElement("form"), {method: "post", action: location.origin + path, target: frame.name});
		f.append(Object.assign(document.createElement("input"), {name: "code", value: "x"}));
		document.body.append(frame, f);
		frame.onload = () => {
			if (frame.contentDocument?.URL === "about:blank") return; // null when the browser shows an error of its own
			const text = frame.contentDocument?.body?.innerText ?? "";
			if (!text.startsWith("Nightjar does not answer under this name.") && text !== "") got.Opened.push("form " + path + ": " + text.slice(0, 80));
			done();
		};
		f.submit();
		setTimeout(done, 10000);
	});
	const all = [];
	for (const path of paths) {
		all.push(read(path, {}), read(path, {method: "POST", body: new URLSearchParams({code: "x"})}));
	}
	for (const path of some) {
		for (const method of ["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"]) all.push(read(path, {method}));
		all.push(read(path, {headers: {Authorization: "Bearer x", "X-Forwarded-Host": "127.0.0.1"}}));
		all.push(stream(path, WebSocket, location.origin.replace("http", "ws")), stream(path, EventSource, location.origin));
		all.push(element("img", "src", path), element("script", "src", path), element("iframe", "src", path), form(path));
		all.push(element("link", "href", path, {rel: "stylesheet"}));
	}
	await Promise.all(all);
	return got;
}
