(maxElements, maxLength) => {
	const url = document.location.href;
	const all = document.getElementsByTagName("*");
	const elements = all.length;
	if (elements > maxElements) {
		return {url, elements, html: ""};
	}
	// What stands in open shadow trees is written where it is seen. A document of its own runs nothing while it is copied.
	const inert = document.implementation.createHTMLDocument();
	const flat = (node) => {
		const copy = inert.importNode(node, false);
		const slotted = node.localName === "slot" && node.assignedNodes ? node.assignedNodes({flatten: true}) : [];
		for (const child of slotted.length ? slotted : (node.shadowRoot ?? node).childNodes) {
			copy.append(flat(child));
		}
		return copy;
	};
	let root = document.documentElement;
	for (const e of all) {
		if (e.shadowRoot) {
			try {
				root = flat(root);
			} catch { /* it is nested too deep: what is outside must do */ }
			break;
		}
	}
	const html = (document.doctype ? "<!DOCTYPE html>" : "") + root.outerHTML;
	return {url, elements, html: html.slice(0, maxLength + 1)};
}
