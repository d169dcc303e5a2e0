/** FORD with localized validation: see {@code docs/protocols/ford-lv.md}. */
package tidepool.protocol.fordlv;
