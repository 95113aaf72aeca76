// A crawl with Colly (https://go-colly.org): every page of the hosts of the seeds once, robots.txt obeyed, nothing kept.
// Usage: colly SEEDS CA_FILE, where SEEDS is a file with a URL a line. CA_FILE may be missing.
//
// There is no LimitRule for each host: Colly compares every request with every rule, which would cost it more than its crawl.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/gocolly/colly/v2"
)

const connections = 200

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	seeds := strings.Fields(string(text))
	hosts := map[string]bool{}
	for _, seed := range seeds {
		if u, err := url.Parse(seed); err == nil {
			hosts[u.Host] = true
		}
	}
	c := colly.NewCollector(colly.Async(true))
	c.IgnoreRobotsTxt = false
	roots := x509.NewCertPool()
	if ca, err := os.ReadFile(os.Args[2]); err == nil {
		roots.AppendCertsFromPEM(ca)
	}
	c.WithTransport(&http.Transport{
		MaxIdleConns: 4096, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute,
		TLSClientConfig: &tls.Config{RootCAs: roots, ClientSessionCache: tls.NewLRUClientSessionCache(4096)},
	})
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: connections}); err != nil {
		panic(err)
	}
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		u, err := url.Parse(e.Request.AbsoluteURL(e.Attr("href")))
		if err == nil && hosts[u.Host] {
			u.Fragment = "" // or it would be another page
			_ = e.Request.Visit(u.String())
		}
	})
	for _, seed := range seeds {
		_ = c.Visit(seed)
	}
	c.Wait()
}
