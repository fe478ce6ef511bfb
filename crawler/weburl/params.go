package weburl

import (
	"slices"
	"strings"
)

// dropped are query parameters that never change the page.
var dropped = set(
	// sessions
	`jsessionid jsession phpsessid sessionid session_id session-id sessid sess_id sid cfid cftoken zenid oscsid xtcsid
	mysid asp.net_sessionid sessionkey session_key ` +
		// who sent the reader: advertisers' and networks' clicks
		`gclid gclsrc dclid gbraid wbraid gad gad_source gad_campaignid srsltid fbclid fb_action_ids fb_action_types fb_source fb_ref
	msclkid yclid ysclid yadclid twclid ttclid li_fat_id igshid igsh epik rdt_cid sccid irclickid irgwc cjevent cjdata awc
	mkcid mkevt mkrid s_kwcid ef_id rb_clickid wickedid obclid tblci dicbo vmcid ` +
		// newsletters and campaigns
		`mc_cid mc_eid mc_tc _hsenc _hsmi __hstc __hssc __hsfp hsctatracking mkt_tok vero_id vero_conv oly_enc_id oly_anon_id
	s_cid ml_subscriber ml_subscriber_hash dm_i _ke _kx nr_email_referer elqtrackid elqtrack elqaid elqat elqcampaignid
	trk_contact trk_msg trk_module trk_sid mbid cmpid wt_mc wt.mc_id wt.mc_ev wt_zmc xtor icid int_cid ncid ito ` +
		// counters of visitors
		`_ga _gl _gac _openstat pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid piwik_campaign piwik_kwd
	sc_campaign sc_channel sc_content sc_medium sc_outcome sc_geo sc_country at_medium at_campaign at_link_id at_link_type
	at_link_origin at_format at_bbc_team at_ptr_name ns_mchannel ns_source ns_campaign ns_linkname ns_fee
	ref_src ref_url trk trkinfo trkcampaign spm __twitter_impression _branch_match_id _branch_referrer guccounter guce_referrer guce_referrer_sig
	action_object_map action_type_map action_ref_map`)

// droppedPrefixes are prefixes of more such parameters.
var droppedPrefixes = []string{"utm_", "mtm_", "matomo_", "hsa_", "itm_", "bsft_", "at_custom", "__cf_chl_", "aspsessionid"}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// keepParams removes tracking and session parameters from a query, and leaves the rest as written.
func keepParams(query string) string {
	if query == "" {
		return ""
	}
	parts := strings.Split(query, "&")
	kept := parts[:0]
	for _, p := range parts {
		name, value, _ := strings.Cut(p, "=")
		if !isDropped(strings.ToLower(Unescape(name)), value) {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "&")
}

// isDropped reports whether a parameter is for a session or for tracking.
func isDropped(name, value string) bool {
	if dropped[name] || slices.ContainsFunc(droppedPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
		return true
	}
	// Forum software's session: s=5f4dcc3b5aa765d61d8327deb882cf99. A short s is a search.
	return name == "s" && len(value) == 32 && strings.Trim(strings.ToLower(value), "0123456789abcdef") == ""
}
