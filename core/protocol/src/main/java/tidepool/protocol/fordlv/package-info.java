/** FORD with localized validation: see {@code docs/internals/protocols/ford-lv.md}. */
package tidepool.protocol.fordlv;
