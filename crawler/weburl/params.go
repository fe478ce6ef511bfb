package weburl

import (
	"slices"
	"strings"
)

// dropped are query parameters that never change the page.
var dropped = set(
	// sessions
	`jsessionid phpsessid cftoken asp.net_sessionid ` +
		// who sent the reader: advertisers' and networks' clicks
		`gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid fbclid fb_action_ids fb_action_types fb_source fb_ref
	msclkid yclid ysclid yadclid twclid ttclid li_fat_id igshid igsh rdt_cid sccid irclickid irgwc cjevent cjdata
	mkcid mkevt mkrid s_kwcid ef_id rb_clickid wickedid obclid tblci dicbo vmcid ` +
		// newsletters and campaigns
		`mc_cid mc_eid mc_tc _hsenc _hsmi __hstc __hssc __hsfp hsctatracking mkt_tok vero_id vero_conv oly_enc_id oly_anon_id
	s_cid ml_subscriber ml_subscriber_hash dm_i _ke _kx nr_email_referer elqtrackid elqtrack elqaid elqat elqcampaignid
	trk_contact trk_msg trk_module trk_sid wt_mc wt.mc_id wt.mc_ev wt_zmc xtor int_cid
	itm_source itm_medium itm_campaign itm_content itm_term
	hsa_acc hsa_cam hsa_grp hsa_ad hsa_src hsa_tgt hsa_kw hsa_mt hsa_net hsa_ver hsa_la hsa_ol ` +
		// counters of visitors
		`_ga _gl _gac _openstat pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid piwik_campaign piwik_kwd
	sc_campaign sc_channel sc_content sc_medium sc_outcome sc_geo sc_country at_medium at_campaign at_link_id at_link_type
	at_link_origin at_format at_bbc_team at_ptr_name ns_mchannel ns_source ns_campaign ns_linkname ns_fee
	ref_src ref_url trkinfo trkcampaign __twitter_impression _branch_match_id _branch_referrer guccounter guce_referrer guce_referrer_sig
	action_object_map action_type_map action_ref_map`)

// droppedPrefixes are prefixes of more such parameters.
var droppedPrefixes = []string{"utm_", "mtm_", "matomo_", "bsft_", "at_custom", "__cf_chl_", "aspsessionid"}

// sessionNames are parameters that name a session of the reader, or something in the page: ?sid=1234.
var sessionNames = set(`jsession sessionid session_id session-id sessid sess_id sid zenid oscsid xtcsid mysid sessionkey session_key`)

// campaignNames are parameters that name what sent the reader, or something in the page: ?trk=7.
var campaignNames = set(`trk spm mbid icid ncid ito awc epik gad cmpid`)

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
		if !isDropped(strings.ToLower(Unescape(name)), Unescape(value), query) {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "&")
}

// isDropped reports whether a parameter, decoded and its name in lower case, is for a session or for tracking. all is the query or
// the path that contains it.
func isDropped(name, value, all string) bool {
	switch {
	case dropped[name] || slices.ContainsFunc(droppedPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }):
		return true
	case sessionNames[name]:
		return value == "" || hintedSecret(value, untold)
	case campaignNames[name]:
		return value == "" || !uuid.MatchString(value) && (len(value) > 16 || strings.ContainsAny(value, "_:|,") || strings.Count(value, ".") > 1 || hintedSecret(value, untold))
	case name == "s": // of a forum's session, or a search
		return len(value) == 32 && hintedSecret(value, untold)
	}
	return name == "cfid" && strings.Contains(lower(all), "cftoken=") // a session's number; its key is beside it
}
