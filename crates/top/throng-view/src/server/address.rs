//! The address of a page, and the checks of requests for it.

use axum::http::{HeaderMap, HeaderName, header};
use throng_core::InputError;

/// The host names under which browsers on this computer reach the server. A request from another site whose name
/// resolves to this computer (DNS rebinding) has the name of that site.
const HOSTS: [&str; 2] = ["127.0.0.1", "localhost"];
/// The port that browsers omit.
const PORT_OF_HTTP: u16 = 80;

/// The port and the token of a server.
pub(super) struct Address {
    port: u16,
    token: String,
}

impl Address {
    /// Creates an address with a new token.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn new(port: u16) -> Result<Self, InputError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| {
            let message = format!("the system gives no random numbers: {error}");
            InputError::resource("token", message, "without a secret address, other users could see the page")
        })?;
        Ok(Self { port, token: format!("{:032x}", u128::from_le_bytes(bytes)) })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}:{}{}", HOSTS[0], self.port, self.path(""))
    }

    /// The path of one of the page's files.
    pub fn path(&self, file: &str) -> String {
        format!("/{}/{file}", self.token)
    }

    /// Whether a request was meant for this server, according to its `Host` header.
    pub fn is_host_of(&self, headers: &HeaderMap) -> bool {
        only(headers, &header::HOST).is_some_and(|host| self.is_ours(host))
    }

    /// Whether a page of this server opened a connection, according to its `Origin` header. Browsers let pages of all
    /// sites open a WebSocket to this computer, but they send the site's origin; other programs send none.
    pub fn is_origin_of(&self, headers: &HeaderMap) -> bool {
        let origin = only(headers, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        origin.is_some_and(|host| self.is_ours(host))
    }

    fn is_ours(&self, host: &str) -> bool {
        HOSTS.iter().any(|ours| {
            host.eq_ignore_ascii_case(&format!("{ours}:{}", self.port))
                || (self.port == PORT_OF_HTTP && host.eq_ignore_ascii_case(ours))
        })
    }
}

/// The value of a header that occurs exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &HeaderName, values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn tokens_are_random_and_long() {
        let [one, two] = [0; 2].map(|_| Address::new(80).unwrap());
        assert_ne!(one.token, two.token);
        assert_eq!(one.token.len(), 32);
        assert_eq!(one.url(), format!("http://127.0.0.1:80/{}/", one.token));
    }

    #[test]
    fn only_host_names_of_this_computer_are_accepted() {
        let address = Address::new(8080).unwrap();
        for ours in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080"] {
            assert!(address.is_host_of(&headers(&header::HOST, &[ours])), "{ours}");
            assert!(address.is_origin_of(&headers(&header::ORIGIN, &[&format!("http://{ours}")])), "{ours}");
            assert!(!address.is_origin_of(&headers(&header::ORIGIN, &[&format!("https://{ours}")])), "{ours}");
        }
        for other in ["localhost", "127.0.0.1:8081", "localhost.example:8080", "[::1]:8080", "0.0.0.0:8080", ""] {
            assert!(!address.is_host_of(&headers(&header::HOST, &[other])), "{other}");
        }
        assert!(!address.is_host_of(&HeaderMap::new()));
        assert!(!address.is_host_of(&headers(&header::HOST, &["localhost:8080", "localhost:8080"])));
        assert!(!address.is_origin_of(&headers(&header::ORIGIN, &["null"])));
        assert!(Address::new(80).unwrap().is_host_of(&headers(&header::HOST, &["localhost"])));
    }
}
